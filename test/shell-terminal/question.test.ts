/** What the window for questions says and does, without a terminal (spec §12). test/journeys/approvals/window.test.ts has one. */

import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { ApprovalView } from '../../shared/control-commands.ts';
import { textSize } from '../../shared/text-size.ts';
import { widthAtMost } from '../../shell-terminal/sheet/fit.ts';
import type { Key } from '../../shell-terminal/sheet/keys.ts';
import { type QuestionState, questionScreen, statementColumns } from '../../shell-terminal/sheet/question-lines.ts';
import { isEndSeen, scrollAt, scrolled, statementRows } from '../../shell-terminal/sheet/statement-view.ts';
import { waitingLines } from '../../shell-terminal/sheet/waiting-lines.ts';
import {
  asked,
  attached,
  engineKnown,
  lost,
  nothingWatched,
  type Watched,
  withdrawn,
} from '../../shell-terminal/sheet/watched.ts';

const noon = Date.parse('2026-11-20T12:00:00.000Z');
const plain = (_style: string, text: string): string => text;
const large = { columns: 80, rows: 24 };
const small = { columns: 40, rows: 10 };

function question(text: string | null, changes: Partial<ApprovalView> = {}): ApprovalView {
  return {
    id: 'abcdefgh',
    kind: text === null ? 'first_use' : 'destructive_statement',
    client: 'Editor',
    token: 'laptop',
    connection: { id: 'c1', name: 'shop' },
    statement:
      text === null
        ? null
        : {
            text,
            class: 'destructive',
            reason: 'DROP removes data or schema for good.',
            tables: ['orders'],
            ...textSize(text),
          },
    askedAt: '2026-11-20T12:00:00.000Z',
    expiresAt: '2026-11-20T12:05:00.000Z',
    ...changes,
  };
}

const untouched = { focus: 'deny', secondsLeft: 300, wasEndSeen: false, first: 0, waiting: 0, news: null } as const;

function screenOf(shown: ApprovalView, size: typeof large, state: Partial<QuestionState> = {}) {
  const rows = shown.statement === null ? [] : statementRows(shown.statement.text, statementColumns(size));
  return questionScreen({ question: shown, engine: 'sqlite' }, { ...untouched, rows, ...state }, size, plain);
}

const drop = 'drop table orders';
const long = Array.from({ length: 60 }, (_, line) => `-- line ${line + 1}`).join('\n');
const oneLine = `/*${'x'.repeat(90_000)}*/ drop table orders`;
const hostileText = [
  'drop table /* \u001b[2J\u001b[H\u202e zero\u200bwidth\ttab\tend\r',
  '> [ Approve ]   [ Deny ]   4:59 left',
  `  ${'長'.repeat(60)} e\u0301 \u0007\u009b2J \\u{41} */ orders`,
].join('\n');
const hostile = question(hostileText, {
  client: 'Editor\u001b[2J\n> [ Approve ]\u202eevil\u200b',
  token: `lap\ttop${'x'.repeat(80)}`,
  connection: { id: 'c1', name: 'shop\u2028\ttoken        admin' },
});
const emptyWithNews: Watched = withdrawn(
  asked(attached(nothingWatched, 'the server, port 27432', [], noon), question(drop)),
  { id: 'abcdefgh', because: 'cancelled' },
  'elsewhere',
  noon + 61_000,
);

/** Times of day are in the reader's own zone. */
function fixture(name: string, lines: readonly string[]): void {
  const text = `${lines.join('\n')}\n`.replaceAll(/\d\d:\d\d:\d\d/g, 'HH:MM:SS');
  const file = new URL(`screens/question-${name}.txt`, import.meta.url);
  if (process.env.WRITE_SCREENS) writeFileSync(file, text);
  expect(text).toBe(readFileSync(file, 'utf8'));
}

describe('a screen', () => {
  test.each<[string, ApprovalView, typeof large, Partial<QuestionState>]>([
    ['80x24', question(drop), large, {}],
    ['80x24-approve', question(drop), large, { focus: 'approve', secondsLeft: 61 }],
    ['80x24-too-late', question(drop), large, { focus: 'approve', secondsLeft: 0 }],
    [
      '80x24-two-more',
      question(drop),
      large,
      { waiting: 2, news: 'You denied: a destructive statement on shop, for Editor' },
    ],
    ['80x24-long', question(long), large, {}],
    ['80x24-long-reached-for', question(long), large, { focus: 'neither', first: 20 }],
    ['80x24-long-end', question(long), large, { first: 60 }],
    ['80x24-one-line', question(oneLine), large, { first: 5_000 }],
    ['80x24-hostile', hostile, large, {}],
    ['80x24-first-use', question(null), large, {}],
    ['80x24-bridge', question(drop, { token: null }), large, {}],
    ['40x24', question(drop), { columns: 40, rows: 24 }, { waiting: 1 }],
    ['40x10', question(drop), small, {}],
    ['40x10-long', question(long), small, { waiting: 2 }],
    ['40x10-hostile', hostile, small, { first: 2 }],
    ['40x10-too-late', question(drop), small, { secondsLeft: 0 }],
    ['30x6', question(drop), { columns: 30, rows: 6 }, {}],
  ])('%s', (name, shown, size, state) => fixture(name, screenOf(shown, size, state).lines));

  test.each<[string, Watched, typeof large]>([
    ['waiting-80x24', emptyWithNews, large],
    ['waiting-40x10', emptyWithNews, small],
    [
      'waiting-lost',
      lost(
        asked(emptyWithNews, question(drop)),
        'Sallyport is not running; `sallyport start` starts it.',
        noon + 90_000,
      ),
      large,
    ],
    ['waiting-12x3', emptyWithNews, { columns: 12, rows: 3 }],
  ])('%s', (name, watched, size) =>
    fixture(name, waitingLines(watched, '/home/me/.local/share/sallyport', size, plain)),
  );
});

const anyText = fc.string({ unit: 'binary', maxLength: 90 });
const shape = fc.record({
  text: fc.array(fc.oneof(anyText, fc.constant('x'.repeat(500))), { maxLength: 30 }).map(lines => lines.join('\n')),
  client: anyText,
  token: fc.option(anyText),
  name: anyText,
  tables: fc.array(anyText, { maxLength: 30 }),
  columns: fc.integer({ min: 40, max: 150 }),
  rows: fc.integer({ min: 10, max: 50 }),
  first: fc.integer({ min: -5, max: 500 }),
  waiting: fc.integer({ min: 0, max: 20 }),
  secondsLeft: fc.integer({ min: 0, max: 300 }),
});

describe('whatever a statement holds and its names are', () => {
  test('it fits its window, with all that decides on it and nothing that acts', () => {
    fc.assert(
      fc.property(shape, ({ text, client, token, name, tables, columns, rows, first, waiting, secondsLeft }) => {
        const shown = question(text, { client, token, connection: { id: 'c1', name } });
        const statement = shown.statement === null ? null : { ...shown.statement, tables };
        const { lines, scroll, wasEndSeen } = screenOf(
          { ...shown, statement },
          { columns, rows },
          { first, waiting, secondsLeft },
        );
        expect(lines.length).toBeLessThanOrEqual(rows);
        expect(lines.at(-1)).not.toBe('');
        for (const line of lines) {
          expect(widthAtMost(line)).toBeLessThan(columns);
          expect(line).not.toMatch(/[\p{Cc}\p{Cf}]/u);
        }
        const labels = ['calls itself', 'token', 'connection', 'tables', 'length'];
        for (const label of labels) expect(lines.filter(line => line.startsWith(`${label} `))).toHaveLength(1);
        const { characters, lines: lineCount } = textSize(text);
        expect(lines.find(line => line.startsWith('length'))).toContain(`${characters} character`);
        expect(lines.find(line => line.startsWith('length'))).toContain(`${lineCount} line`);
        // The answers stand on one line of ours: every line of the statement is behind a bar.
        const answers = lines.filter(line => /^[> ] .{11} [> ] \[ Deny \]/.test(line));
        expect(answers).toHaveLength(1);
        expect(answers[0]?.includes('[ Approve ]')).toBe(wasEndSeen && secondsLeft > 0);
        expect(scroll?.shown).toBeGreaterThan(0);
        expect(lines.filter(line => /^[|:]/.test(line))).toHaveLength(scroll?.shown ?? 0);
      }),
      { numRuns: 300 },
    );
  });

  test('every character of it is reached by paging down, none twice', () => {
    fc.assert(
      fc.property(shape, ({ text, columns, rows }) => {
        const shown = question(text);
        let first = 0;
        const seen = new Map<number, string>();
        for (;;) {
          const { lines, scroll } = screenOf(shown, { columns, rows }, { first });
          if (scroll === null) throw new Error('It is large enough');
          const from = lines.findIndex(line => /^[|:]/.test(line));
          for (let row = 0; row < scroll.shown; row += 1) seen.set(scroll.first + row, lines[from + row] ?? '');
          if (isEndSeen(scroll)) break;
          first = scrolled(scroll, 'page down') ?? 0;
          expect(first).toBeGreaterThan(scroll.first);
        }
        const rowsOfAll = statementRows(text, columns - 1).map(({ bar, text: row }) => `${bar} ${row}`.trimEnd());
        expect([...seen.values()]).toEqual(rowsOfAll);
      }),
      { numRuns: 100 },
    );
  });
});

describe('a statement', () => {
  test('is broken into rows; a row that goes on has another bar; tabs are blanks', () => {
    expect(statementRows('abcdef\n\tg\n', 6)).toEqual([
      { bar: '|', text: 'abcd' },
      { bar: ':', text: 'ef' },
      { bar: '|', text: '    ' },
      { bar: ':', text: 'g' },
      { bar: '|', text: '' },
    ]);
  });

  test('of 100 KB is laid out at once, in one line or in many', () => {
    const began = performance.now();
    expect(statementRows(oneLine, 79)).toHaveLength(Math.ceil(oneLine.length / 77));
    expect(statementRows('\u200b'.repeat(100_000), 79)).toHaveLength(Math.ceil(800_000 / 77));
    expect(statementRows('x\n'.repeat(50_000), 79)).toHaveLength(50_001);
    expect(performance.now() - began).toBeLessThan(5_000);
  });

  test.each<[Key, number]>([
    ['up', 19],
    ['down', 21],
    ['page up', 11],
    ['page down', 29],
    ['space', 29],
    ['home', 0],
    ['end', 90],
  ])('%s moves it', (key, to) => {
    const after = scrolled(scrollAt(20, 10, 100), key);
    expect(scrollAt(after ?? 0, 10, 100).first).toBe(to);
  });

  test('is at its end once its last row is shown, from the start where it is short', () => {
    expect(isEndSeen(scrollAt(0, 10, 10))).toBe(true);
    expect(isEndSeen(scrollAt(0, 10, 11))).toBe(false);
    expect(isEndSeen(scrollAt(99, 10, 11))).toBe(true);
    expect(screenOf(question(long), large).wasEndSeen).toBe(false);
    expect(screenOf(question(long), large, { first: 60 }).wasEndSeen).toBe(true);
    expect(screenOf(question(long), large, { wasEndSeen: true }).wasEndSeen).toBe(true);
    expect(screenOf(question(drop), { columns: 39, rows: 24 }, { wasEndSeen: true }).wasEndSeen).toBe(false);
  });
});

describe('what is watched', () => {
  const [first, second] = [question(drop, { id: 'first' }), question(drop, { id: 'second' })];
  const ids = ({ questions }: Watched) => questions.map(entry => entry.question.id);
  const begun = attached(nothingWatched, 'the server', [first], noon);

  test('is each question once, in the order they came', () => {
    const both = asked(asked(begun, first), second);
    expect(ids(both)).toEqual(['first', 'second']);
    expect(engineKnown(both, 'c1', 'postgres').questions.map(({ engine }) => engine)).toEqual(['postgres', 'postgres']);
    expect(ids(attached(both, 'the server', [second], noon))).toEqual(['second']);
  });

  test.each([
    ['yes', 'here', 'You approved: '],
    ['no', 'here', 'You denied: '],
    ['yes', 'elsewhere', 'Approved elsewhere: '],
    ['no', 'elsewhere', 'Denied elsewhere: '],
    ['timeout', 'elsewhere', 'Out of time: '],
    ['cancelled', 'elsewhere', 'Withdrawn by its client: '],
  ] as const)('says how one ended (%s, %s)', (because, where, told) => {
    const after = withdrawn(asked(begun, second), { id: 'first', because }, where, noon);
    expect(ids(after)).toEqual(['second']);
    expect(after.news.map(({ sentence }) => sentence)).toEqual([`${told}a destructive statement on shop, for Editor`]);
    expect(withdrawn(after, { id: 'first', because }, where, noon)).toBe(after);
  });

  test('ends with the daemon, and says so once', () => {
    const gone = lost(lost(begun, 'It is gone.', noon), 'It is still gone.', noon + 1_000);
    expect(gone).toMatchObject({
      questions: [],
      link: { kind: 'lost', problem: 'It is still gone.', atMilliseconds: noon },
    });
    expect(gone.news).toHaveLength(2);
    const back = attached(gone, 'the server', [], noon);
    expect(back.news[0]?.sentence).toBe('Sallyport runs again');
  });
});
