/**
 * How rows of the activity log are shown: within 80 columns, escaped, with an attempt without
 * outcome shown as one; and `--since`.
 */

import { stripVTControlCharacters } from 'node:util';
import { expect, test } from '@jest/globals';
import type { ActivityRowView } from '../../shared/control-commands.ts';
import { activityLines } from '../../shell-terminal/activity-lines.ts';
import { textWidth } from '../../shell-terminal/table.ts';
import type { Terminal } from '../../shell-terminal/terminal.ts';
import { sinceOf } from '../../shell-terminal/words.ts';

const terminalOf = (columns: number | null): Terminal =>
  ({ environment: {}, stdout: columns === null ? {} : { isTTY: true, columns } }) as unknown as Terminal;
const row = (changes: Partial<ActivityRowView>): ActivityRowView => ({
  number: 1,
  time: '2026-11-20T12:00:00.000Z',
  kind: 'event',
  category: 'query',
  action: 'execute_query',
  what: 'Run a query',
  why: null,
  outcome: 'success',
  fate: null,
  attempt: null,
  principal: 'id',
  tokenName: 'Editor',
  client: 'Ed',
  connection: { id: 'c', name: 'Größe 数据数据数据' },
  statementHash: null,
  rows: 10_000,
  durationMilliseconds: 12_345,
  reason: null,
  requestId: null,
  count: 1,
  ...changes,
});
const hostile = `\u202e\u001b[2J${'x'.repeat(200)} and ${'words '.repeat(60)}`;

test('each line fits 80 columns, with any names, and the whole reason is under its row', () => {
  const lines = activityLines(terminalOf(80));
  const rows = [
    row({}),
    row({ tokenName: hostile, action: hostile, connection: { id: 'c', name: hostile }, count: 4_000 }),
    row({ outcome: 'denied', reason: `denied: ${'words '.repeat(60)}` }),
  ];
  const shown = [...lines.heading(), ...rows.flatMap(lines.row)].map(line => stripVTControlCharacters(line));
  for (const line of shown) expect(textWidth(line)).toBeLessThanOrEqual(80);
  expect(shown.join('').match(/words/g)).toHaveLength(60);
  expect(shown.filter(line => line.startsWith('2026-11-20'))).toHaveLength(1);
});

test('a shell’s act has its program in the column, and the whole chain under the row', () => {
  const client = `sallyport (process 4242, started by ${'claude-code, '.repeat(12)}bash) on /dev/pts/3`;
  const shells = { category: 'admin', action: 'pause', principal: null, tokenName: null, client } as const;
  const shown = activityLines(terminalOf(80)).row(row({ ...shells, rows: null, durationMilliseconds: null }));
  const lines = shown.map(line => stripVTControlCharacters(line));
  for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(80);
  expect(lines[1]).toMatch(/^\d\d:\d\d:\d\d {2}sallyport {4}pause {17}Größe \S+ +success$/);
  expect(
    lines
      .slice(2)
      .map(line => line.trim())
      .join(' '),
  ).toBe(`by ${client}`);
  const [, piped] = activityLines(terminalOf(null)).row(row({ ...shells, tokenName: 'Editor', reason: 'readOnly' }));
  expect(piped).toMatch(/ Editor +pause .*: readOnly, by sallyport \(process 4242, .*\) on \/dev\/pts\/3$/);
});

test('in a pipe nothing is cut, and nothing is shown that could move or hide', () => {
  const [, shown] = activityLines(terminalOf(null)).row(row({ outcome: 'error', reason: hostile }));
  expect(shown).toContain(`\\u{202e}\\u{1b}[2J${'x'.repeat(200)}`);
  expect(shown).toMatch(/ error 10000 rows 12\.3 s: /);
});

test('an attempt says what is known of its outcome, and a bridge has its client’s name', () => {
  const attempt = { kind: 'attempt', outcome: null, rows: null, durationMilliseconds: null } as const;
  const ends = (['unknown', 'running', 'settled'] as const).map(fate => {
    const [, shown = ''] = activityLines(terminalOf(null)).row(row({ ...attempt, fate }));
    return / {2}([a-z ]+)$/.exec(shown)?.[1];
  });
  expect(ends).toEqual(['outcome unknown', 'running', 'attempted']);
  const [, unseen] = activityLines(terminalOf(null)).row(
    row({ outcome: 'unknown', rows: null, reason: 'outcome_unknown' }),
  );
  expect(unseen).toMatch(/ {2}outcome unknown \S+ \w+: outcome_unknown$/);
  const [, bridge] = activityLines(terminalOf(null)).row(row({ principal: 'bridge:x', tokenName: '__stdio_bridge__' }));
  expect(bridge).toMatch(/ {2}Ed +query execute_query/);
});

test('--since accepts a duration, an instant or a day, and nothing else', () => {
  const now = Date.parse('2026-11-20T12:00:00.000Z');
  expect(sinceOf('1h30m', now)).toBe('2026-11-20T10:30:00.000Z');
  expect(sinceOf('2026-11-20T10:00Z', now)).toBe('2026-11-20T10:00:00.000Z');
  expect(sinceOf('2026-11-20', now)).toBe(new Date(2026, 10, 20).toISOString());
  for (const wrong of ['', 'yesterday', '1', '2026', '2026-13-45', '20 Nov']) {
    expect(() => sinceOf(wrong, now)).toThrow(/--since must be a duration/);
  }
});
