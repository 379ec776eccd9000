import { Duration } from 'luxon';
import { describe, expect, it } from 'vitest';
import { durationWords } from '../../src/graph/duration-words.ts';
import { transitionTable } from '../../src/graph/transition-table.ts';
import { transitionTableMarkdown } from '../../src/graph/transition-table-markdown.ts';
import { transitionTableText } from '../../src/graph/transition-table-text.ts';
import { rollout } from '../manifest/rollout.ts';

describe('the transition table', () => {
  it('has a row for each edge of each leaf, in the order they are judged', () => {
    const rows = transitionTable(rollout).filter((row) => row.from === 'Upgrading.Replacing');
    expect(rows).toEqual([
      {
        from: 'Upgrading.Replacing',
        trigger: { type: 'fact', name: 'ready' },
        event: 'ready',
        to: 'Running',
        actions: [],
        accepts: false,
        declaredBy: 'Upgrading.Replacing',
      },
      {
        from: 'Upgrading.Replacing',
        trigger: { type: 'timeout', name: 'step' },
        event: 'timeout step 1h30m',
        guard: 'not ready',
        to: 'Failed',
        actions: [],
        accepts: false,
        declaredBy: 'Upgrading.Replacing',
      },
      {
        from: 'Upgrading.Replacing',
        trigger: { type: 'command', name: 'abort' },
        event: 'command abort',
        to: 'Failed',
        actions: ['aborted'],
        accepts: false,
        declaredBy: 'Upgrading',
      },
      {
        from: 'Upgrading.Replacing',
        trigger: { type: 'fact', name: 'deleted' },
        event: 'deleted',
        to: 'Deleting',
        actions: [],
        accepts: false,
        declaredBy: '',
      },
    ]);
  });

  it('shows a command that only acts as an edge onto its own leaf', () => {
    const row = transitionTable(rollout).find(({ trigger }) => trigger.name === 'note');
    expect(row).toMatchObject({ from: 'Failed', to: 'Failed', event: 'command note', actions: ['attempt'] });
  });

  it('reads line by line as text, with machine version and hash, each edge of the root once', () => {
    const lines = transitionTableText(rollout).split('\n');
    expect(lines[0]).toBe(`Legal transitions of Rollout 2.0.0 (${rollout.hash}). Everything else is refused.`);
    expect(lines).toContain('Pending -> Running: unaccepted / accept');
    expect(lines).toContain('Pending -> Failed: timeout grace');
    expect(lines).toContain('Failed -> Pending: command retry [few(max=3)]');
    expect(lines.filter((line) => line.includes('Deleting'))).toEqual(['any phase -> Deleting: deleted']);
  });

  it('is a Markdown table whose cells cannot break it', () => {
    const markdown = transitionTableMarkdown(rollout);
    expect(markdown).toContain('| Upgrading.Checking | command abort |  | Failed | aborted |  |');
    expect(
      new Set(
        markdown
          .split('\n')
          .slice(2, -1)
          .map((line) => line.split('|').length),
      ),
    ).toEqual(new Set([8]));
  });

  it.each([
    [{ minutes: 15 }, '15m'],
    [{ minutes: 90 }, '1h30m'],
    [{ days: 2, seconds: 1 }, '2d1s'],
    [{ milliseconds: 1500 }, '1s500ms'],
    [{ seconds: 0 }, '0s'],
  ])('writes the duration %j as %s', (parts, words) => {
    expect(durationWords(Duration.fromObject(parts))).toBe(words);
  });
});
