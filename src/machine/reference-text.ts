import type { NamedReference } from '../definition/chart.ts';
import { notGuard } from '../definition/reserved-names.ts';

/** A guard or action in words: `canShrink`, `retriesLeft(max=3)`, `not nodesReady`. */
export function referenceText({ name, params }: NamedReference): string {
  if (name === notGuard && typeof params['guard'] === 'string') return `not ${params['guard']}`;
  const written = Object.entries(params).map(([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
  return written.length === 0 ? name : `${name}(${written.join(', ')})`;
}
