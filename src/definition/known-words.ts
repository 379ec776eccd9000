import { builtInCommands, builtInFacts } from './reserved-names.ts';
import { isPlainObject } from './scan-json.ts';

/** The names a vocabulary declares, read from one that may be full of faults. */
export interface KnownWords {
  readonly kind: string;
  readonly isNamespaced: boolean;
  /** Whether the vocabulary has `adopt`. */
  readonly adopts: boolean;
  /** The section as given, empty when it is missing or no object. */
  section(name: string): Readonly<Record<string, unknown>>;
  names(section: string): readonly string[];
  has(section: string, name: string): boolean;
  /** Declared and built-in. */
  isFact(name: string): boolean;
  readonly facts: readonly string[];
}

export function knownWordsOf(vocabulary: Readonly<Record<string, unknown>>): KnownWords {
  const section = (name: string): Readonly<Record<string, unknown>> => {
    const value = vocabulary[name];
    return isPlainObject(value) ? value : {};
  };
  const has = (in_: string, name: string) => Object.hasOwn(section(in_), name);
  const builtIn: readonly string[] = builtInFacts;
  return {
    kind: typeof vocabulary['kind'] === 'string' && vocabulary['kind'] !== '' ? vocabulary['kind'] : '(no kind)',
    isNamespaced: vocabulary['scope'] === 'Namespaced',
    adopts: vocabulary['adopt'] !== undefined,
    section,
    names: (name) => Object.keys(section(name)),
    has,
    isFact: (name) => builtIn.includes(name) || has('facts', name),
    facts: [...Object.keys(section('facts')), ...builtInFacts],
  };
}

/** Whether a name belongs to a command that every phase accepts. */
export function isBuiltInCommand(name: string): boolean {
  return builtInCommands.some((command) => command === name);
}
