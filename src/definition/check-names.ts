import type { FaultList } from './fault-list.ts';
import { isBuiltInCommand, type KnownWords } from './known-words.ts';
import { acceptAction, builtInFacts, notGuard } from './reserved-names.ts';

/** Sections whose names meet in `on` and `guard`, and those that meet in `entry` and `actions`. */
const namespaces = [
  ['facts', 'commands', 'guards'],
  ['ensure', 'deletes', 'announce', 'remembers'],
] as const;

const single = ['dependents', 'watches', 'probes', 'timeouts', 'invariants'] as const;

/** Names are camelCase, none is taken by Phasekeeper, and none means two things where it is used. */
export function checkNames(words: KnownWords, faults: FaultList): void {
  for (const sections of namespaces) {
    const owners = new Map<string, string>();
    for (const section of sections) {
      for (const name of words.names(section)) {
        const place = `${words.kind}.${section}.${name}`;
        checkName(name, place, faults);
        checkReserved(name, place, faults);
        const other = owners.get(name);
        if (other !== undefined) {
          faults.add('NAME_COLLISION', place, {
            reason: `${other}.${name} has the same name, so the config could mean either`,
            instead: 'two different names',
          });
        } else owners.set(name, section);
      }
    }
  }
  for (const section of single) {
    for (const name of words.names(section)) checkName(name, `${words.kind}.${section}.${name}`, faults);
  }
}

function checkName(name: string, place: string, faults: FaultList): void {
  if (/^[a-z][A-Za-z0-9]*$/.test(name)) return;
  faults.add('INVALID_NAME', place, {
    reason: `${JSON.stringify(name)} is not in camelCase, letters and digits`,
    instead: 'a name such as nodesReady',
  });
}

function checkReserved(name: string, place: string, faults: FaultList): void {
  const meaning = builtInFacts.some((fact) => fact === name)
    ? 'a fact of every lifecycle'
    : isBuiltInCommand(name)
      ? 'a command of every lifecycle'
      : name === acceptAction
        ? 'the action that accepts the spec'
        : name === notGuard
          ? 'the guard that negates another'
          : undefined;
  if (meaning !== undefined) faults.add('RESERVED_NAME', place, { reason: `${name} is ${meaning}`, instead: 'another name' });
}
