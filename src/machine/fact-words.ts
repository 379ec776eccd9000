import type { Lifecycle } from '../definition/lifecycle.ts';
import { builtInFact } from './built-in-fact.ts';
import type { Observation } from './observation.ts';

/** What a fact says for people. The fact's name where it says nothing, does not know, or fails: words never stop a transition. */
export function factWords(lifecycle: Lifecycle, name: string, observation: Observation): string {
  const builtIn = builtInFact(name);
  if (builtIn !== undefined) return builtIn.says(observation);
  const { facts } = lifecycle.vocabulary;
  const says = Object.hasOwn(facts, name) ? facts[name]?.says : undefined;
  try {
    const words: unknown = typeof says === 'function' ? says(observation.view) : says;
    return typeof words === 'string' && words !== '' ? words : name;
  } catch {
    return name;
  }
}
