import { ConfigMap, defineLifecycle, type DesiredObject, type Report } from 'phasekeeper';
import { z } from 'zod';

export interface NotebookStatus {
  readonly last?: string | null | undefined;
  readonly lines?: { name: string; text?: string | undefined }[] | undefined;
  readonly rest?: number[] | undefined;
}

/** What a test has the author's code do while the operator runs. */
export interface NotebookHooks {
  report?: () => { readonly status: NotebookStatus; readonly conditions?: NonNullable<Report['conditions']> };
  ensure?: () => readonly DesiredObject[];
}

/** A kind whose spec, status and memory may hold null, and whose author reports and desires whatever a test says. */
export function defineNotebook(hooks: NotebookHooks) {
  return defineLifecycle({
    group: 'notebook.test',
    version: 'v1',
    kind: 'Notebook',
    scope: 'Namespaced',
    machineVersion: '1.0.0',
    spec: z.object({ pages: z.int().default(1), note: z.string().nullable().optional() }),
    status: z.object({
      last: z.string().nullable().optional(),
      lines: z.array(z.object({ name: z.string(), text: z.string().optional() })).optional(),
      rest: z.array(z.number()).optional(),
    }),
    memory: z.object({ mark: z.string().nullable().default('unset') }),
    dependents: { parts: ConfigMap },
    facts: {},
    commands: { close: {} },
    remembers: { unmark: () => ({ mark: null }) },
    ensure: { parts: () => hooks.ensure?.() ?? [] },
    report: () => {
      const { status, ...rest } = hooks.report?.() ?? { status: {} };
      return { status: { ...status }, ...rest };
    },
    adopt: () => 'unknown' as const,
  }).createMachine({
    initial: 'Pending',
    states: {
      Pending: { meta: { kstatus: 'InProgress' }, on: { unaccepted: { target: 'Open', actions: ['accept', 'unmark'] } } },
      Open: {
        meta: { kstatus: 'Current' },
        entry: 'parts',
        on: { close: 'Pending', specChanged: { target: 'Open', reenter: true, actions: 'accept' } },
      },
    },
  });
}
