/** Facts that every lifecycle has. */
export const builtInFacts = ['deleted', 'unaccepted', 'specChanged', 'refused', 'cleared'] as const;

/** A fact that every lifecycle has. */
export type BuiltInFact = (typeof builtInFacts)[number];

/** Commands that every phase accepts. */
export const builtInCommands = ['pause', 'resume'] as const;

/** The action that makes the asked spec the accepted one. */
export const acceptAction = 'accept';

/** The guard that negates another: `{ type: 'not', params: { guard: 'nodesReady' } }`. */
export const notGuard = 'not';

/** Names that Phasekeeper writes on objects. */
export const names = {
  commandAnnotation: 'phasekeeper.dev/command',
  commandByAnnotation: 'phasekeeper.dev/command-by',
  commandReasonAnnotation: 'phasekeeper.dev/command-reason',
  ownerLabel: 'phasekeeper.dev/owner',
  finalizer: (plural: string) => `phasekeeper.dev/${plural}`,
  fieldManager: (lifecycle: string) => `phasekeeper/${lifecycle}`,
} as const;
