import { nodeAt } from '../../src/definition/chart-walk.ts';
import type { AnyView } from '../../src/definition/view.ts';
import { activeEntries } from '../../src/machine/active-entries.ts';
import { advance } from '../../src/machine/advance.ts';
import { decide } from '../../src/machine/decide.ts';
import type { Move } from '../../src/machine/decision.ts';
import type { Position } from '../../src/machine/position.ts';
import { restore } from '../../src/machine/restore.ts';
import { nodePool } from '../../machines/nodepool/definition.ts';
import { type NodeSketch, viewOf } from './nodepool-view.ts';

type Spec = Readonly<Record<string, unknown>>;

const { vocabulary, chart } = nodePool;

/** More edges than this in one pass are a loop. */
const mostEdges = 12;

/** A pool and its nodes in memory: deciding and asserting as the engine does, without a cluster. */
export class NodePoolWorld {
  readonly nodes = new Map<number, NodeSketch>();
  spec: Spec = { minSize: 2, maxSize: 10, systemDiskCategory: 'cloud_essd' };
  nowMs = 0;
  position: Position;
  /** Every edge taken, `Running -> ScalingUp`. */
  readonly taken: string[] = [];

  constructor() {
    const start = restore(nodePool, undefined);
    if (start.type !== 'absent') throw new Error('nothing stored is absent');
    this.position = { ...start.position, recorded: true };
  }

  get phase(): string {
    return this.position.state;
  }

  view(): AnyView {
    const nodes = [...this.nodes].map(([ordinal, node]) => ({ ...node, ordinal }));
    return { ...viewOf({ spec: this.spec, accepted: this.position.accepted?.spec ?? this.spec, nodes }), memory: this.position.memory };
  }

  /** One pass: all edges there are, then what the phase ensures and one node it deletes. */
  reconcile(command?: string): void {
    for (let edges = 0; this.move(edges === 0 ? command : undefined); edges++) {
      if (edges === mostEdges) throw new Error(`a loop: ${this.taken.slice(-mostEdges).join(', ')}`);
    }
    this.assert();
  }

  private move(command: string | undefined): boolean {
    const { sequence } = this.position;
    const token = `t${sequence}`;
    const request = command && { raw: `${command}/${sequence}/${token}`, name: command, sequence, token };
    const observation = {
      view: this.view(),
      nowMs: this.nowMs,
      generation: 1,
      name: 'NodePool demo',
      ...(request ? { command: request } : {}),
    };
    const decision = decide(nodePool, this.position, observation);
    if (decision.type === 'fault') throw new Error(decision.message);
    if (decision.type === 'refuse') return this.move(undefined);
    if (decision.type !== 'move') return false;
    this.take(decision);
    return true;
  }

  private take(move: Move): void {
    const from = this.phase;
    this.position = advance(nodePool, this.position, move, { nowMs: this.nowMs, spec: this.spec, generation: 1 });
    this.taken.push(`${from} -> ${this.phase}`);
    const after = vocabulary.report?.(this.view()).status ?? {};
    const transition = { from, to: this.phase, before: {}, after };
    for (const [name, holds] of Object.entries(vocabulary.invariants)) {
      if (!holds({ ...this.view(), transition }))
        throw new Error(`${from} -> ${this.phase} by ${move.event.type} violates ${name}: ${JSON.stringify(after)}`);
    }
  }

  private assert(): void {
    for (const { name, params } of activeEntries(nodePool, this.phase)) {
      const view = this.view();
      for (const object of vocabulary.ensure[name]?.(view, params) ?? []) {
        const ordinal = Number(object.metadata.name.slice('demo-'.length));
        const disk = object.metadata.labels?.['ack.alibabacloud.com/system-disk-category'] ?? '';
        const before = this.nodes.get(ordinal) ?? { ready: false };
        this.nodes.set(ordinal, { ...before, disk, cordoned: object['spec'] !== undefined });
      }
      const going = [...this.nodes.values()].some((node) => node.deleting);
      const chosen = (view.dependents['nodes'] ?? []).find((node) => vocabulary.deletes[name]?.only(node, view, params));
      if (chosen === undefined || going) continue;
      const ordinal = Number(chosen.metadata.name.slice('demo-'.length));
      this.nodes.set(ordinal, { ...this.nodes.get(ordinal), deleting: true });
    }
  }

  /** Whether the phase is steady and nothing is asked beyond what was accepted. */
  get isSettled(): boolean {
    const { accepted } = this.position;
    return nodeAt(chart, this.phase).kstatus === 'Current' && JSON.stringify(accepted?.spec) === JSON.stringify(this.spec);
  }
}
