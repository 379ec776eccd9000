import type { TransitionRow } from './transition-table.ts';

/** An edge in the notation of statecharts: `event [guard] / action, action`. */
export function edgeWords({ event, guard, actions }: Pick<TransitionRow, 'event' | 'guard' | 'actions'>): string {
  const condition = guard === undefined ? '' : ` [${guard}]`;
  return `${event}${condition}${actions.length === 0 ? '' : ` / ${actions.join(', ')}`}`;
}
