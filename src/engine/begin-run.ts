import type { Position } from '../machine/position.ts';
import { relocate } from '../machine/relocate.ts';
import { type Quarantined, restore } from '../machine/restore.ts';
import { timedLevels } from '../machine/state-plan.ts';
import type { KubernetesObject } from '../resource/kubernetes-object.ts';
import { asJson, storedLifecycle } from './compose-status.ts';
import { evaluate } from './evaluate.ts';
import type { ObjectMemory } from './object-memory.ts';
import { ownershipOf } from './ownership.ts';
import type { Problem } from './problem.ts';
import { Run } from './run.ts';
import type { Scene } from './scene.ts';

type Json = Readonly<Record<string, unknown>>;

/**
 * How a reconcile starts.
 *
 * - `ready`: the position is known; decide.
 * - `record`: the position has to be stored before anything else (a migration, an adoption, a deletion out of quarantine).
 * - `held`: nothing may be done but to say why.
 */
export type Beginning =
  | { readonly type: 'ready'; readonly run: Run }
  | { readonly type: 'record'; readonly run: Run; readonly position: Position; readonly event: string }
  | { readonly type: 'held'; readonly run: Run; readonly problem: Problem; readonly retryInMs: number | undefined };

/** Objects of an earlier incarnation go away without a change of ours: look again this often. */
const oldDependentsRetryMs = 5_000;

/** Restores where an object stands from its status, its migrations, or its living dependents. */
export function beginRun(scene: Scene, memory: ObjectMemory, object: KubernetesObject): Beginning {
  const { spec, invalid } = parseSpec(scene, memory, object);
  const restored = restore(scene.lifecycle, storedLifecycle(object.status));
  if (restored.type === 'quarantined') return quarantine(scene, memory, { object, spec, restored });
  const run = new Run(scene, memory, { object, position: restored.position, spec });
  if (invalid !== undefined && !run.deleting) {
    return held(run, { severity: 'stalled', reason: 'SpecInvalid', message: `the stored spec does not fit the schema: ${invalid}` });
  }
  if (restored.type === 'migrated') {
    const position = relocate(scene.lifecycle, restored, { nowMs: run.nowMs, by: scene.instance });
    if (position !== undefined) return { type: 'record', run, position, event: `migration from ${restored.from}` };
  }
  if (restored.type === 'absent') return beginAbsent(run);
  return { type: 'ready', run };
}

function held(run: Run, problem: Problem, retryInMs?: number): Beginning {
  return { type: 'held', run, problem, retryInMs };
}

/** The spec through its schema, once per version of the object. */
function parseSpec(
  scene: Scene,
  memory: ObjectMemory,
  object: KubernetesObject,
): { readonly spec: Json; readonly invalid: string | undefined } {
  const version = `${object.metadata.generation ?? object.metadata.resourceVersion}`;
  if (memory.parsed?.resourceVersion === version) return memory.parsed;
  const parsed = scene.lifecycle.vocabulary.spec.safeParse(object.spec ?? {});
  const spec = asJson(parsed.success ? parsed.data : object.spec);
  memory.parsed = {
    resourceVersion: version,
    spec,
    invalid: parsed.success ? undefined : parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; '),
  };
  return memory.parsed;
}

interface Lost {
  readonly object: KubernetesObject;
  readonly spec: Json;
  readonly restored: Quarantined;
}

/** A state the machine does not know has no effects; a root deletion edge out of it is still taken. */
function quarantine(scene: Scene, memory: ObjectMemory, { object, spec, restored }: Lost): Beginning {
  const position: Position = {
    state: restored.state,
    sequence: restored.sequence,
    enteredMs: {},
    memory: {},
    accepted: undefined,
    stable: undefined,
    lastCommand: undefined,
    history: [],
    recorded: true,
  };
  const run = new Run(scene, memory, { object, position, spec });
  const next = run.deleting ? relocate(scene.lifecycle, restored, { nowMs: run.nowMs, by: scene.instance }) : undefined;
  if (next !== undefined) return { type: 'record', run, position: next, event: 'fact deleted' };
  const name = `${scene.lifecycle.kind.kind.toLowerCase()} ${object.metadata.name}`;
  const message = `state ${restored.state} is unknown to machine ${scene.lifecycle.vocabulary.machineVersion} (${restored.reason}); nothing is done. Run the version that knows it, add a migration, or let it go: kubectl patch ${name} --type=json -p '[{"op":"remove","path":"/metadata/finalizers"}]'`;
  return held(run, { severity: 'stalled', reason: 'Quarantined', message });
}

/** Nothing was ever stored: a new object, or one that lost its status beside living dependents. */
function beginAbsent(run: Run): Beginning {
  // It is on its way out: what it ran before matters no more, and nothing must keep it.
  if (run.deleting) return { type: 'ready', run };
  const { vocabulary, chart } = run.scene.lifecycle;
  const groups = Object.keys(vocabulary.dependents);
  const old = groups
    .flatMap((group) => run.labelled(group))
    .find((dependent) => ownershipOf(dependent, run.object.metadata.uid) === 'foreign');
  if (old !== undefined) {
    const message = `waiting until ${old.kind} ${old.metadata.name} of an earlier ${run.name} is gone`;
    return held(run, { severity: 'waiting', reason: 'WaitingForOldDependents', message }, oldDependentsRetryMs);
  }
  const living = groups.some((group) => run.owned(group).length > 0);
  run.memory.sawBeginning ||= !living;
  if (!living || !chart.accepts || vocabulary.adopt === undefined) return { type: 'ready', run };
  const author = vocabulary.adopt;
  const adopted = evaluate({ place: 'adopt', object: run.name }, () => author(run.view()));
  const spec = adopted.type === 'value' && adopted.value !== 'unknown' ? vocabulary.spec.safeParse(adopted.value) : undefined;
  if (spec?.success !== true) {
    const message = 'dependents exist without a status, and what they run cannot be told from them; nothing is done';
    return held(run, { severity: 'stalled', reason: 'AdoptUnknown', message });
  }
  const position: Position = {
    ...run.position,
    enteredMs: Object.fromEntries(timedLevels(run.scene.lifecycle, run.position.state).map((path) => [path, run.nowMs])),
    accepted: { generation: 0, spec: asJson(spec.data) },
    lastCommand: consumedAtAdoption(run),
    recorded: true,
  };
  return { type: 'record', run, position, event: 'adoption' };
}

/** A command found beside a lost status belongs to the life before: it is noted and never carried out. */
function consumedAtAdoption(run: Run): Position['lastCommand'] {
  const { command } = run.observation();
  if (command === undefined) return undefined;
  return {
    token: command.token,
    name: command.name,
    result: 'consumed: found when the object was adopted',
    at: new Date(run.nowMs).toISOString(),
  };
}
