import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';

import { AuditLog } from './audit-log.ts';

function line(auditID: string, verb: string, more: object = {}): string {
  const user = { username: 'operator' };
  return `${JSON.stringify({ auditID, verb, user, stage: 'ResponseComplete', requestURI: '/x', stageTimestamp: '2026-01-01T00:00:00Z', ...more })}\n`;
}

function emptyLog(): { readonly file: string; readonly log: AuditLog } {
  const folder = mkdtempSync(join(tmpdir(), 'audit-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'audit.jsonl');
  return { file, log: new AuditLog(file) };
}

describe('an audit log', () => {
  it('is empty before its file is there', () => {
    expect(emptyLog().log.entries()).toEqual([]);
  });

  it('reads on where it stopped, and a line only when it is whole', () => {
    const { file, log } = emptyLog();
    const second = line('2', 'update');
    appendFileSync(file, line('1', 'create') + second.slice(0, 20));
    expect(log.entries().map(({ id }) => id)).toEqual(['1']);
    appendFileSync(file, second.slice(20));
    expect(log.entries().map(({ id }) => id)).toEqual(['1', '2']);
  });

  it('picks by user, verb, write, place and code', () => {
    const { file, log } = emptyLog();
    appendFileSync(file, line('1', 'create', { objectRef: { resource: 'nodes', name: 'a' }, responseStatus: { code: 201 } }));
    appendFileSync(file, line('2', 'patch', { objectRef: { resource: 'nodepools', apiGroup: 'g', name: 'a', subresource: 'status' } }));
    appendFileSync(file, line('3', 'get', { objectRef: { resource: 'nodes', name: 'b' }, user: { username: 'admin' } }));
    appendFileSync(file, line('4', 'watch', { stage: 'ResponseStarted', objectRef: { resource: 'nodes' } }));
    const ids = (filter: Parameters<AuditLog['entries']>[0]): readonly string[] => log.entries(filter).map(({ id }) => id);
    expect(ids({ writes: true })).toEqual(['1', '2']);
    expect(ids({ user: 'admin' })).toEqual(['3']);
    expect(ids({ verb: ['create', 'get'] })).toEqual(['1', '3']);
    expect(ids({ resource: 'nodes', name: 'a' })).toEqual(['1']);
    expect(ids({ group: 'g', subresource: 'status' })).toEqual(['2']);
    expect(ids({ subresource: '' })).toEqual(['1', '3']);
    expect(ids({ code: 201 })).toEqual(['1']);
    expect(ids({ stage: 'ResponseStarted' })).toEqual(['4']);
  });
});
