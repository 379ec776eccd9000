import type { ChartNode } from '../definition/chart.ts';
import { levelsOf, nodeAt } from '../definition/chart-walk.ts';
import type { Lifecycle } from '../definition/lifecycle.ts';
import type { KStatus } from '../definition/machine-config.ts';
import { referenceText } from '../machine/reference-text.ts';
import { anyPhase } from './collapsed-rows.ts';
import { edgeWords } from './edge-words.ts';
import { legalMoves } from './legal-moves.ts';
import { lifecycleTitle } from './lifecycle-title.ts';
import { transitionRow } from './transition-table.ts';

const classes: Readonly<Record<KStatus, string>> = {
  InProgress: 'fill:#fff4d6,stroke:#b58900,color:#222',
  Current: 'fill:#dff3e4,stroke:#2e7d32,color:#222',
  Failed: 'fill:#fde2e1,stroke:#c62828,color:#222',
  Terminating: 'fill:#e6e6e6,stroke:#616161,color:#222',
};

const anyPhaseId = 'any_phase';

/**
 * The machine as Mermaid `stateDiagram-v2` text. The same lifecycle always gives the same text.
 *
 * Each leaf says what it means to kstatus (a word beside the colour) and what it ensures and deletes. An edge of the root is drawn
 * once, from `any phase`; an edge of a parent once, from the parent.
 */
export function mermaid(lifecycle: Lifecycle): string {
  const { chart } = lifecycle;
  const root = nodeAt(chart, '');
  const lines = [
    '---',
    `title: ${JSON.stringify(lifecycleTitle(lifecycle))}`,
    '---',
    'stateDiagram-v2',
    ...(root.edges.length > 0 ? [`  state "${anyPhase}" as ${anyPhaseId}`] : []),
    ...root.children.flatMap((path) => stateLines(lifecycle, nodeAt(chart, path), '  ')),
    `  [*] --> ${idOf(initialChild(root))}`,
    ...edgeLines(lifecycle),
    ...lastLeaves(lifecycle).map((leaf) => `  ${idOf(leaf)} --> [*]`),
    ...classLines(lifecycle),
  ];
  return `${lines.join('\n')}\n`;
}

function stateLines(lifecycle: Lifecycle, node: ChartNode, indent: string): readonly string[] {
  const id = idOf(node.path);
  const declared = `${indent}state "${label(node.path.slice(node.path.lastIndexOf('.') + 1))}" as ${id}`;
  if (node.children.length === 0) return [declared, ...leafNotes(lifecycle, node).map((note) => `${indent}${id} : ${label(note)}`)];
  const { chart } = lifecycle;
  const inner = node.children.flatMap((path) => stateLines(lifecycle, nodeAt(chart, path), `${indent}  `));
  return [`${declared} {`, `${indent}  [*] --> ${idOf(initialChild(node))}`, ...inner, `${indent}}`];
}

/** What a leaf means and holds, its parents' part included: Mermaid shows no text in a state that has others in it. */
function leafNotes(lifecycle: Lifecycle, leaf: ChartNode): readonly string[] {
  const entries = levelsOf(lifecycle.chart, leaf.path)
    .toReversed()
    .flatMap((level) => level.entry.map((entry) => `${entryWord(lifecycle, entry.name)} ${referenceText(entry)}`));
  return [...(leaf.kstatus === undefined ? [] : [leaf.kstatus]), ...entries];
}

function initialChild({ children, initialLeaf }: ChartNode): string {
  return children.find((path) => initialLeaf === path || initialLeaf.startsWith(`${path}.`)) ?? initialLeaf;
}

/** Each edge as it is declared: from its leaf, from its parent, or from any phase. */
function edgeLines(lifecycle: Lifecycle): readonly string[] {
  return [...lifecycle.chart.nodes.values()].flatMap((node) => {
    const from = node.path === '' ? anyPhaseId : idOf(node.path);
    return node.edges.map((edge) => {
      const to = edge.target === undefined ? from : idOf(edge.target);
      return `  ${from} --> ${to} : ${label(edgeWords(transitionRow(lifecycle, node.path, edge)))}`;
    });
  });
}

/** Terminating leaves that nothing leads out of: there the object goes. */
function lastLeaves({ chart }: Lifecycle): readonly string[] {
  const moves = legalMoves(chart);
  return chart.leaves.filter((leaf) => nodeAt(chart, leaf).kstatus === 'Terminating' && moves.get(leaf)?.every((to) => to === leaf));
}

function classLines({ chart }: Lifecycle): readonly string[] {
  return Object.entries(classes).flatMap(([kstatus, look]) => {
    const members = chart.leaves.filter((leaf) => nodeAt(chart, leaf).kstatus === kstatus);
    return members.length === 0 ? [] : [`  classDef ${kstatus} ${look}`, `  class ${members.map(idOf).join(',')} ${kstatus}`];
  });
}

function entryWord({ vocabulary }: Lifecycle, name: string): string {
  const how = vocabulary.deletes[name];
  if (how === undefined) return 'ensure';
  return how.how === 'drain' ? 'drain and delete' : 'delete';
}

/** A state's path as an identifier: dots separate in Mermaid. */
function idOf(path: string): string {
  return path.replaceAll('.', '_');
}

/** Text that Mermaid shows as it is: its own signs become character codes. */
function label(text: string): string {
  return text.replaceAll(/[#;:"{}<>\n]/g, (sign) => (sign === '\n' ? ' ' : `#${sign.charCodeAt(0)};`));
}
