import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { nodePool } from '../../machines/nodepool/definition.ts';
import { renderVisualizations } from '../../src/graph/render-visualizations.ts';

const root = join(import.meta.dirname, '../..');

it('finds every diagram in visualizations/ as its machine draws it, and no other', () => {
  const fresh = renderVisualizations([nodePool]);
  const checkedIn = readdirSync(join(root, 'visualizations')).map(
    (name) => [`visualizations/${name}`, readFileSync(join(root, 'visualizations', name), 'utf8')] as const,
  );
  expect(Object.fromEntries(checkedIn)).toEqual(Object.fromEntries(fresh));
});
