import type { NamedReference } from './chart.ts';

/**
 * What the guards of the XState machine read. Whoever asks XState for a transition puts the judge of the moment into the context:
 * every guard, whatever its name, hands its name and params to it.
 */
export interface MachineContext {
  judge(guard: NamedReference): boolean;
}
