import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../control-plane/eventually.ts';
import { FaultProxy } from '../control-plane/fault-proxy.ts';
import { OperatorProcess } from '../control-plane/operator-process.ts';
import { describeControlPlane } from '../control-plane/suite.ts';
import type { HoldMoment } from '../control-plane/write-gate.ts';
import { Pools } from './pools.ts';

const moments: readonly HoldMoment[] = ['beforeSent', 'appliedResponseLost', 'afterResponse'];
/** A life takes fewer writes than this; the loop ends at the first one that is never reached. */
const mostWrites = 40;

/** What remains to be told of one life: the same for every crash. */
interface Life {
  readonly transitions: readonly string[];
  readonly created: readonly string[];
  readonly deleted: readonly string[];
}

describeControlPlane('an operator that is killed', { kwok: true }, (context) => {
  let pools: Pools;
  let proxy: FaultProxy;
  let lives = 0;

  beforeAll(async () => {
    pools = new Pools(context.controlPlane);
    await pools.install();
    proxy = await FaultProxy.start(context.controlPlane);
  }, 60_000);
  afterAll(() => proxy.stop());

  const start = () =>
    OperatorProcess.start({ kubeconfig: proxy.kubeconfig('operator'), machines: ['machines/nodepool'], args: ['--no-events'] });

  /** Two nodes, then one, then none: a whole life of a pool, whoever runs the operator meanwhile. */
  async function live(name: string, interfered?: Promise<void>): Promise<Life> {
    await pools.apply(name, { minSize: 2 });
    await pools.until(name, 'Running', 2);
    await pools.apply(name, { minSize: 1 });
    await pools.until(name, 'Running', 1);
    await pools.deleteNow(name);
    await pools.untilGone(name);
    await interfered;
    expect(await pools.nodeNames(name)).toEqual([]);
    // The answer can be there a moment before its line in the audit log.
    const transitions = await eventually(
      () => {
        const seen = pools.transitions(name);
        return seen.at(-1)?.endsWith(' Deleting') === true ? seen : undefined;
      },
      { what: 'the last transition in the audit log' },
    );
    const bare = (names: readonly string[]) => names.map((node) => node.slice(name.length)).toSorted();
    const { created, deleted } = pools.effects(name);
    return { transitions, created: bare(created), deleted: bare(deleted) };
  }

  /** One life in which the operator is killed at its n-th write. Undefined when it never made that many. */
  async function liveWithCrash(n: number, moment: HoldMoment): Promise<Life | undefined> {
    const name = `life${++lives}`;
    const first = start();
    let second: OperatorProcess | undefined;
    try {
      await first.untilReady();
      proxy.armWrites();
      const held = proxy.holdWrite(n, moment);
      const over = new AbortController();
      const crash = held.reached.then(async () => {
        await first.kill9();
        held.release();
        if (!over.signal.aborted) second = start();
      });
      const life = live(name);
      const result = await Promise.race([life, crash.then(() => life)]);
      over.abort();
      if (held.isReached) await crash;
      held.release();
      return held.isReached ? result : undefined;
    } finally {
      await Promise.all([first.dispose(), second?.dispose()]);
    }
  }

  it('B01 ends as if undisturbed wherever it is killed: after each write, at three moments, nothing twice', async () => {
    const undisturbed = start();
    await undisturbed.untilReady();
    const expected = await live('undisturbed');
    await undisturbed.dispose();
    expect(expected).toEqual({
      transitions: ['1 ScalingUp', '2 Running', '3 ScalingDown', '4 Running', '5 Deleting'],
      created: ['-0', '-1'],
      deleted: ['-0', '-1'],
    });
    let crashes = 0;
    for (const moment of moments) {
      for (let n = 1; n <= mostWrites; n++) {
        const life = await liveWithCrash(n, moment);
        if (life === undefined) break;
        expect(life, `killed at write ${n}, ${moment}`).toEqual(expected);
        crashes++;
      }
    }
    process.stderr.write(`crash: ${crashes} kills, each ended as the undisturbed run\n`);
    expect(crashes).toBeGreaterThan(30);
  }, 600_000);
});
