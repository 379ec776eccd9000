import type { Lifecycle } from '../definition/lifecycle.ts';

/**
 * Whether a value is a lifecycle, by its shape: a definition may come with its own copy of this package, whose classes are not
 * ours.
 */
export function isLifecycle(value: unknown): value is Lifecycle {
  if (!isObject(value)) return false;
  const { chart, vocabulary, machine, name } = value;
  return isObject(chart) && Array.isArray(chart['leaves']) && isObject(vocabulary) && isObject(machine) && typeof name === 'string';
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
