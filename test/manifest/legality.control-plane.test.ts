import { beforeAll, expect, it } from 'vitest';
import { nodePool } from '../../machines/nodepool/definition.ts';
import type { ApiAnswer } from '../control-plane/api-client.ts';
import { eventually } from '../control-plane/eventually.ts';
import { describeControlPlane } from '../control-plane/suite.ts';
import { rollout, rolloutBefore, rolloutMoves } from './rollout.ts';
import { instant, messageOf, move, ServedKind } from './served-kind.ts';

type Json = Readonly<Record<string, unknown>>;

/** Each leaf, and the leaves that one transition leads to. */
type Moves = Readonly<Record<string, readonly string[]>>;

const versions = ['v1', 'v1beta1'] as const;

/** What NodePool declares, written out by hand from its table. */
const nodePoolMoves: Moves = {
  Pending: ['ScalingUp', 'Deleting'],
  ScalingUp: ['Running', 'ScalingUp', 'ScalingDown', 'Failed', 'Deleting'],
  Running: ['ScalingDown', 'ScalingUp', 'Running', 'Deleting'],
  ScalingDown: ['Running', 'ScalingUp', 'Failed', 'Deleting'],
  Failed: ['Pending', 'Running', 'Deleting'],
  Deleting: [],
};

/** A way to each state; from there on the tests go their own. */
const nodePoolWays: Moves = {
  Pending: ['ScalingUp', 'Failed', 'Pending'],
  ScalingUp: ['ScalingUp'],
  Running: ['ScalingUp', 'Running'],
  ScalingDown: ['ScalingUp', 'ScalingDown'],
  Failed: ['ScalingUp', 'Failed'],
  Deleting: ['ScalingUp', 'Deleting'],
};

const rolloutWays: Moves = {
  Pending: ['Failed', 'Pending'],
  Running: ['Running'],
  'Upgrading.Checking': ['Running', 'Upgrading.Checking'],
  'Upgrading.Replacing': ['Running', 'Upgrading.Checking', 'Upgrading.Replacing'],
  Failed: ['Failed'],
  Deleting: ['Deleting'],
};

const spec = { minSize: 2, maxSize: 10, systemDiskCategory: 'cloud_essd' };
const accepted = { generation: 1, spec };
const refused = 422;

function nameOf(state: string): string {
  return state.toLowerCase().replaceAll('.', '-');
}

describeControlPlane('the rules of a CRD on a real API server', { audit: false }, (context) => {
  let pools: ServedKind;
  let count = 0;

  /** A NodePool that went along states, and the sequence it is at. */
  async function poolAt(states: readonly string[]): Promise<{ readonly name: string; readonly sequence: number }> {
    const name = `pool-${++count}`;
    await pools.mustCreate(name, spec);
    await pools.walk(name, states);
    return { name, sequence: states.length };
  }

  async function write(name: string, status: unknown, version?: string): Promise<ApiAnswer> {
    return await pools.writeStatus({ name, body: { status }, ...(version === undefined ? {} : { version }) });
  }

  async function expectRefused(name: string, status: unknown, message?: string): Promise<void> {
    for (const version of versions) {
      const answer = await write(name, status, version);
      expect.soft(answer.status, `${JSON.stringify(status)} through ${version}: ${messageOf(answer)}`).toBe(refused);
      if (message !== undefined) expect.soft(messageOf(answer)).toContain(message);
    }
  }

  async function expectTaken(name: string, status: unknown): Promise<void> {
    for (const version of versions) expect.soft(messageOf(await write(name, status, version))).toMatch(/^200 /);
  }

  /** Tries every state with every sequence that could be meant, through every version; returns what was answered wrongly. */
  async function tryAllPairs(
    kind: ServedKind,
    moves: Moves,
    from: { readonly name: string; readonly state: string; readonly sequence: number },
  ) {
    const { name, state, sequence } = from;
    const sequences = [sequence + 1, sequence, sequence - 1, sequence + 2, 0, null];
    const wrong: string[] = [];
    let tried = 0;
    const attempt = async (version: string, target: string, asked: number | null) => {
      const answer = await kind.writeStatus({ name, version, body: { status: move(target, asked) } });
      const isDeclared = moves[state]?.includes(target) === true && asked === sequence + 1;
      const isLegal = isDeclared || (target === state && asked === sequence);
      tried++;
      if (answer.status !== (isLegal ? 200 : refused))
        wrong.push(`${version} ${state}@${sequence} -> ${target}@${asked}: ${messageOf(answer)}`);
    };
    for (const target of [...Object.keys(moves), 'Nowhere', '']) {
      await Promise.all(versions.flatMap((version) => sequences.map((asked) => attempt(version, target, asked))));
    }
    return { tried, wrong };
  }

  beforeAll(async () => {
    pools = await ServedKind.install(context.controlPlane, nodePool, { versions });
  }, 60_000);

  it('B37 takes exactly the declared transitions, each with the next sequence, through every served version', async () => {
    let tried = 0;
    for (const [state, way] of Object.entries(nodePoolWays)) {
      const { name, sequence } = await poolAt(way);
      const result = await tryAllPairs(pools, nodePoolMoves, { name, state, sequence });
      expect.soft(result.wrong).toEqual([]);
      tried += result.tried;
    }
    expect(tried).toBe(6 * 2 * 8 * 6);
  }, 120_000);

  it('B37 takes exactly the declared transitions of an object that nobody has written yet', async () => {
    await pools.mustCreate('untouched', spec);
    const { wrong } = await tryAllPairs(pools, nodePoolMoves, { name: 'untouched', state: 'Pending', sequence: 0 });
    expect(wrong).toEqual([]);
  }, 60_000);

  it('B37 says which transitions are legal, also to who writes the phase alone', async () => {
    const { name, sequence } = await poolAt(['ScalingUp', 'Running']);
    const legal = 'legal from Running: ScalingDown, ScalingUp, Running, Deleting';
    await expectRefused(name, { phase: 'Pending' }, legal);
    await expectRefused(name, { phase: 'ScalingUp' }, 'phase is the head of lifecycle.state');
    await expectRefused(name, { phase: 'Pending', lifecycle: { state: 'Pending' } }, legal);
    await expectRefused(name, move('Pending', sequence + 1), legal);
    await expectRefused(name, { ...move('ScalingUp', sequence + 1), phase: 'Running' }, 'phase is the head of lifecycle.state');
    await expectRefused(name, move('ScalingUp', sequence), 'a transition adds exactly 1 to lifecycle.sequence');
    const { name: ended } = await poolAt(['ScalingUp', 'Deleting']);
    await expectRefused(ended, move('Running', 3), 'legal from Deleting: nothing');
  });

  it('B37 refuses a wiped status in every form', async () => {
    const { name, sequence } = await poolAt(['ScalingUp', 'Running']);
    const stored = await pools.get(name);
    const { phase, ...withoutPhase } = stored['status'] as Json & { readonly phase: string };
    const { lifecycle, ...withoutLifecycle } = stored['status'] as Json & { readonly lifecycle: Json };
    for (const status of [null, { lifecycle: null }, { phase: null }, { lifecycle: { state: null } }, { lifecycle: { sequence: null } }]) {
      await expectRefused(name, status);
    }
    await expectRefused(name, { lifecycle: { entered: null } }, 'lifecycle.entered does not disappear');
    await expectRefused(name, { lifecycle: { entered: { Running: null, ScalingUp: null } } }, 'lifecycle.entered says when');
    await expectRefused(name, { lifecycle: { state: 'Pending', sequence: 0, entered: null }, phase: 'Pending' });
    for (const version of versions) {
      const puts = [
        undefined,
        null,
        {},
        withoutPhase,
        withoutLifecycle,
        { ...withoutLifecycle, lifecycle: {} },
        { ...withoutLifecycle, lifecycle: { state: 'Running', sequence } },
        { phase: 'Pending', observedGeneration: 0, lifecycle: { state: 'Pending', sequence: 0 } },
      ];
      for (const status of puts) {
        const body = { ...stored, apiVersion: `ack.alibabacloud.com/${version}`, status };
        const answer = await pools.writeStatus({ name, version, method: 'PUT', body });
        expect.soft(answer.status, `PUT ${JSON.stringify(status)}: ${messageOf(answer)}`).toBe(refused);
      }
      for (const path of [
        '/status',
        '/status/phase',
        '/status/lifecycle',
        '/status/lifecycle/state',
        '/status/lifecycle/sequence',
        '/status/lifecycle/entered',
      ]) {
        const answer = await pools.writeStatus({
          name,
          version,
          contentType: 'application/json-patch+json',
          body: [{ op: 'remove', path }],
        });
        expect.soft(answer.status, `remove ${path}: ${messageOf(answer)}`).toBe(refused);
      }
      const apply = {
        apiVersion: `ack.alibabacloud.com/${version}`,
        kind: 'NodePool',
        metadata: { name },
        status: { phase: 'Pending', lifecycle: { state: 'Pending', sequence: 0 } },
      };
      const applied = await pools.writeStatus({ name, version, contentType: 'application/apply-patch+yaml', body: apply });
      expect.soft(applied.status, `apply: ${messageOf(applied)}`).toBe(refused);
    }
    // The same object as it is, through each: a refusal above is the rules' and not the request's.
    expect(phase).toBe('Running');
    expect(lifecycle['sequence']).toBe(sequence);
    for (const version of versions) {
      const body = { ...stored, apiVersion: `ack.alibabacloud.com/${version}` };
      expect(messageOf(await pools.writeStatus({ name, version, method: 'PUT', body }))).toMatch(/^200 /);
    }
  }, 60_000);

  it('B37 keeps the record of an object that stands where the default would put it', async () => {
    const name = 'adopted';
    await pools.mustCreate(name, spec);
    await expectRefused(name, { lifecycle: { accepted } }, 'lifecycle.accepted is not recorded before lifecycle.entered');
    // A command that is refused before anything else is written: it is recorded with the memory that the object starts with.
    const lastCommand = { token: 'a', name: 'retry', result: 'refused: no edge', at: instant };
    await pools.mustStore(name, { lifecycle: { lastCommand, memory: { attempts: 9 } } });
    await expectTaken(name, { lifecycle: { memory: { attempts: 0 }, entered: { Pending: instant } } });
    await pools.mustStore(name, { lifecycle: { entered: { Pending: instant }, accepted, memory: { attempts: 0 } } });
    await expectRefused(name, null);
    await expectRefused(name, { lifecycle: { entered: null } });
    await expectRefused(name, { lifecycle: { accepted: null } }, 'accepted does not disappear');
    await expectRefused(name, { lifecycle: { accepted: { spec: { minSize: 1 } } } }, 'accepted becomes the spec');
  });

  it('B37 lets accepted become the spec, with a transition that accepts, and nothing else', async () => {
    const { name } = await poolAt([]);
    const first = move('ScalingUp', 1);
    await expectRefused(
      name,
      { ...first, lifecycle: { ...first.lifecycle, accepted: { generation: 1, spec: { ...spec, minSize: 1 } } } },
      'accepted becomes the spec',
    );
    await pools.mustStore(name, { ...first, lifecycle: { ...first.lifecycle, accepted } });
    await pools.mustStore(name, move('Running', 2));
    await pools.patchSpec(name, { minSize: 5 });
    const asked = { generation: 2, spec: { ...spec, minSize: 5 } };

    await expectRefused(name, { lifecycle: { accepted: asked } }, 'accepted becomes the spec');
    await expectRefused(name, { lifecycle: { accepted: { generation: 2 } } }, 'accepted becomes the spec');
    await expectRefused(name, { lifecycle: { accepted: null } }, 'accepted does not disappear');
    await expectRefused(name, { lifecycle: { accepted: { spec: null } } });
    const up = move('ScalingUp', 3);
    await expectRefused(
      name,
      { ...up, lifecycle: { ...up.lifecycle, accepted: { generation: 2, spec: { ...spec, minSize: 6 } } } },
      'accepted becomes the spec',
    );
    await expectRefused(name, { ...up, lifecycle: { ...up.lifecycle, accepted: null } }, 'accepted does not disappear');
    const gone = move('Deleting', 3);
    await expectRefused(name, { ...gone, lifecycle: { ...gone.lifecycle, accepted: asked } }, 'accepted becomes the spec');
    await expectTaken(name, { ...gone });
    await expectTaken(name, up);
    await pools.mustStore(name, { ...up, lifecycle: { ...up.lifecycle, accepted: asked } });

    // There and back: what is asked equals what is accepted, only the generation is newer.
    await pools.patchSpec(name, { minSize: 4 });
    await pools.patchSpec(name, { minSize: 5 });
    await expectTaken(name, { lifecycle: { accepted: { generation: 4 } } });
    await expectRefused(name, { lifecycle: { accepted: { generation: 4, spec: { minSize: 4 } } } }, 'accepted becomes the spec');
  });

  it('B37 lets stable become accepted in a steady phase, and nothing else', async () => {
    const { name } = await poolAt([]);
    const first = move('ScalingUp', 1);
    await pools.mustStore(name, { ...first, lifecycle: { ...first.lifecycle, accepted } });
    await expectRefused(name, { lifecycle: { stable: accepted } }, 'stable becomes status.lifecycle.accepted');
    await pools.mustStore(name, move('Running', 2));
    await expectRefused(
      name,
      { lifecycle: { stable: { generation: 1, spec: { ...spec, minSize: 1 } } } },
      'stable becomes status.lifecycle.accepted',
    );
    await pools.mustStore(name, { lifecycle: { stable: accepted } });
    await expectRefused(name, { lifecycle: { stable: null } }, 'stable does not disappear');
    await expectRefused(name, { lifecycle: { stable: { generation: 2 } } }, 'stable becomes status.lifecycle.accepted');

    await pools.patchSpec(name, { minSize: 5 });
    const asked = { generation: 2, spec: { ...spec, minSize: 5 } };
    const up = move('ScalingUp', 3);
    await pools.mustStore(name, { ...up, lifecycle: { ...up.lifecycle, accepted: asked } });
    await expectRefused(name, { lifecycle: { stable: asked } }, 'stable becomes status.lifecycle.accepted');
    const failed = move('Failed', 4);
    await expectRefused(name, { ...failed, lifecycle: { ...failed.lifecycle, stable: asked } }, 'stable becomes status.lifecycle.accepted');
    await pools.mustStore(name, move('Running', 4));
    await expectTaken(name, { lifecycle: { stable: asked } });
  });

  it('B37 lets memory change only with a transition', async () => {
    const { name } = await poolAt([]);
    const first = move('ScalingUp', 1);
    await pools.mustStore(name, { ...first, lifecycle: { ...first.lifecycle, memory: { attempts: 1 } } });
    await expectRefused(name, { lifecycle: { memory: { attempts: 0 } } }, 'lifecycle.memory changes only with a transition');
    await expectRefused(name, { lifecycle: { memory: null } }, 'lifecycle.memory changes only with a transition');
    const up = move('Running', 2);
    await expectTaken(name, { ...up, lifecycle: { ...up.lifecycle, memory: { attempts: 0 } } });
  });

  it('lets the rest of a status be written at any time, and the spec too', async () => {
    const { name } = await poolAt(['ScalingUp']);
    const condition = { type: 'Ready', status: 'False', reason: 'ScalingUp', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' };
    await expectTaken(name, { actualReplicas: 1, observedGeneration: 1, conditions: [condition] });
    await expectTaken(name, {
      lifecycle: { machineVersion: '1.0.0', allowedCommands: ['retry'], deadline: { at: instant, timeout: 'scaleUp' } },
    });
    await expectTaken(name, { lifecycle: { lastCommand: { token: 'a', name: 'retry', result: 'refused: no', at: instant, by: 'bob' } } });
    await pools.patchSpec(name, { minSize: 3 });
    expect(await pools.get(name)).toMatchObject({ metadata: { generation: 2 }, status: { phase: 'ScalingUp' } });
  });

  it('B37 holds for nested phases, edges of parents and commands that only act; states that are gone move by their migration or to deletion', async () => {
    const plane = context.controlPlane;
    const before = await ServedKind.install(plane, rolloutBefore, { versions });
    for (const state of ['Stopped', 'Draining', 'Lost']) {
      await before.mustCreate(nameOf(state), { image: 'a' });
      await before.walk(nameOf(state), [state]);
    }
    const rollouts = await ServedKind.install(plane, rollout, { versions });
    // The API server serves the new schema a moment after it took it.
    for (const version of versions) {
      const migration = { name: 'stopped', version, body: { status: move('Failed', 2) } };
      await eventually(async () => (await rollouts.writeStatus(migration)).status === 200, { what: 'the new rules' });
    }

    const gone = { Stopped: ['Failed', 'Deleting'], Draining: ['Upgrading.Checking', 'Deleting'], Lost: ['Deleting'] };
    // An object in one of them may stay, though the schema's enum no longer has it.
    const moves: Moves = { ...rolloutMoves, ...gone };
    for (const state of Object.keys(gone)) {
      const name = nameOf(state);
      const { wrong } = await tryAllPairs(rollouts, moves, { name, state, sequence: 1 });
      expect.soft(wrong).toEqual([]);
      const condition = { type: 'Stalled', status: 'True', reason: 'Quarantined', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' };
      await rollouts.mustStore(name, { conditions: [condition] });
    }

    for (const [state, way] of Object.entries(rolloutWays)) {
      const name = `rollout-${nameOf(state)}`;
      await rollouts.mustCreate(name, { image: 'a' });
      await rollouts.walk(name, way);
      const { wrong } = await tryAllPairs(rollouts, rolloutMoves, { name, state, sequence: way.length });
      expect.soft(wrong).toEqual([]);
    }
  }, 120_000);

  it('B37 compares accepted with the spec by value, whatever its shape', async () => {
    const rollouts = await ServedKind.install(context.controlPlane, rollout, { versions });
    const whole = {
      image: 'a:1',
      replicas: 2,
      weight: 0.5,
      paused: true,
      strategy: 'Recreate',
      labels: { a: '1', b: '2' },
      volumes: [{ name: 'data', size: 1, mounts: ['/a', '/b'] }],
      note: null,
      port: 'http',
      raw: { kind: 'x', other: [1, { deep: true }] },
    };
    await rollouts.mustCreate('whole', whole);
    const write = async (changed: Json) => {
      const status = move('Running', 1);
      const body = {
        status: { ...status, lifecycle: { ...status.lifecycle, accepted: { generation: 1, spec: { ...whole, ...changed } } } },
      };
      // A merge patch would take null for a removal.
      return await rollouts.writeStatus({ name: 'whole', method: 'PUT', body: { ...(await rollouts.get('whole')), ...body } });
    };
    expect(messageOf(await write({}))).toMatch(/^200 /);
    const forgeries: readonly Json[] = [
      { image: 'a:2' },
      { replicas: 3 },
      { weight: 0.25 },
      { paused: false },
      { strategy: 'Rolling' },
      { labels: { a: '1', b: '3' } },
      { labels: { a: '1' } },
      { labels: undefined },
      { volumes: [{ name: 'data', size: 1, mounts: ['/b', '/a'] }] },
      { volumes: [] },
      { note: 'x' },
      { port: 80 },
      { raw: { kind: 'x', other: [1, { deep: false }] } },
    ];
    for (const forgery of forgeries) {
      const answer = await write(forgery);
      expect.soft(answer.status, `${JSON.stringify(forgery)}: ${messageOf(answer)}`).toBe(refused);
    }
  });
});
