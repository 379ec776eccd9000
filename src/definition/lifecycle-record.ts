import { z } from 'zod';

const instant = z.string();

const transition = z.object({
  sequence: z.int(),
  from: z.string(),
  to: z.string(),
  /** `fact belowTarget`, `command retry`, `timeout scaleUp`. */
  event: z.string(),
  at: instant,
  /** The fact's words when the edge was taken. */
  cause: z.string().optional(),
  /** Which operator instance wrote it, or who sent the command. */
  by: z.string().optional(),
});

const accepted = z.object({ generation: z.int(), spec: z.record(z.string(), z.unknown()) });

/** How the status of a lifecycle is stored under `status.lifecycle`. Unknown fields are kept out, missing ones are absent. */
export const lifecycleRecordSchema = z.object({
  machineVersion: z.string().optional(),
  /** Full path: `Upgrading.Draining`. */
  state: z.string(),
  /** Number of transitions ever. */
  sequence: z.int().min(0),
  /** RFC 3339 instant with milliseconds per active level, keyed by path. Absent until the operator first wrote. */
  entered: z.record(z.string(), instant).optional(),
  /** For display; recomputed each pass. */
  deadline: z.object({ at: instant, timeout: z.string() }).optional(),
  memory: z.record(z.string(), z.unknown()).optional(),
  accepted: accepted.optional(),
  stable: accepted.optional(),
  lastCommand: z.object({ token: z.string(), name: z.string(), result: z.string(), at: instant, by: z.string().optional() }).optional(),
  allowedCommands: z.array(z.string()).optional(),
  /** Oldest first, the last ten. */
  history: z.array(transition).optional(),
});

/** The machine's memory as stored. */
export type LifecycleRecord = z.output<typeof lifecycleRecordSchema>;

/** One transition in the record's history. */
export type TransitionEntry = z.output<typeof transition>;

/** A spec with the generation it was accepted at. */
export type AcceptedSpec = z.output<typeof accepted>;

/** How many transitions the record keeps. */
export const historyLength = 10;
