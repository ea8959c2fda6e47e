/**
 * What the window for questions shows and does, without a terminal (spec §12).
 * test/journeys/approvals/window.test.ts uses a terminal.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ranAnswer } from '../../daemon/clients/mcp/request-access.ts';
import { uncountedBecause } from '../../daemon/engines/count/taken.ts';
import { othersLock } from '../../daemon/engines/count/trial.ts';
import { destructiveTitle, factsOf, titleOf } from '../../daemon/shells/desk/facts.ts';
import { outcomeOf } from '../../daemon/shells/desk/outcome.ts';
import { shownText } from '../../shared/shown-text.ts';
import { textSize } from '../../shared/text-size.ts';
import type { Ask } from '../../shell-terminal/desk/asks.ts';
import { askLines } from '../../shell-terminal/desk/card.ts';
import { Watching } from '../../shell-terminal/desk/watched.ts';
import { watchedContent } from '../../shell-terminal/desk/window-content.ts';
import { onceMore } from '../../shell-terminal/mcp-client.ts';
import { widthAtMost } from '../../shell-terminal/sheet/fit.ts';
import { afterKey, promptScreen } from '../../shell-terminal/sheet/prompt-lines.ts';
import { statementRows } from '../../shell-terminal/sheet/statement-rows.ts';
import type { Terminal } from '../../shell-terminal/terminal.ts';
import { anyText } from '../any-text.ts';
import { expectWithin } from '../waiting/limits.ts';

const marked = { id: 'c1', name: 'shop', tags: ['production', 'eu-west'], colour: 'red' };
const noon = Date.parse('2026-11-20T12:00:00.000Z');
const plain = (_style: string, text: string): string => text;
const large = { columns: 80, rows: 24 };
const small = { columns: 40, rows: 10 };

interface Told {
  readonly program?: string | null;
  readonly isBox?: boolean;
  readonly tables?: readonly string[];
}

/** With the facts that the daemon tells of it. */
function question(text: string | null, changes: Partial<Ask> & Told = {}): Ask {
  const { program = null, isBox = false, tables = ['orders'], ...others } = changes;
  const judged = { reason: 'DROP removes data or schema for good.', reasonParts: [], tables };
  const asked: Ask = {
    id: 'abcdefgh',
    kind: text === null ? 'first_use' : 'statement',
    title: titleOf('first_use'),
    waits: true,
    client: 'Editor',
    token: 'laptop',
    connection: { id: 'c1', name: 'shop', tags: [], colour: null },
    lacks: null,
    runsBy: text === null ? null : 'client',
    means: text === null ? 'Read only, for 8 hours.' : null,
    statement:
      text === null
        ? null
        : {
            text,
            class: 'destructive',
            ...textSize(text),
            parameters: [],
            schema: null,
            database: null,
          },
    sentence: null,
    facts: [],
    pairing: null,
    answers: ['yes', 'no'],
    times: 1,
    askedAt: '2026-11-20T12:00:00.000Z',
    expiresAt: '2026-11-20T12:05:00.000Z',
    ...others,
  };
  const statement = asked.statement && { ...asked.statement, ...judged };
  const title = titleOf(asked.kind, asked.statement);
  return { ...asked, title, facts: factsOf({ ...asked, program, isBox, statement }) };
}

function request(text: string | null, changes: Partial<Ask> & Told = {}): Ask {
  const { statement } = question(text);
  return question(text, {
    kind: text === null ? 'host_key' : 'statement',
    waits: false,
    answers: text === null ? ['yes', 'no'] : ['no'],
    program: 'claude, bash',
    lacks: text === null ? 'host_key' : 'connection_level',
    means: null,
    statement: statement && { ...statement, class: 'write', parameters: ['"Ada"', '7'] },
    ...changes,
  });
}

interface State {
  readonly focus: 'approve' | 'deny';
  readonly secondsLeft: number;
  readonly wasEndSeen: boolean;
  readonly first: number;
  readonly waiting: number;
  readonly news: string | null;
}

const home = '/home/me/.local/share/sallyport';

function screenOf(shown: Ask, size: typeof large, state: Partial<State> = {}) {
  const { focus = 'deny', secondsLeft = 300, wasEndSeen = false, first = 0, waiting = 0, news = null } = state;
  const now = Date.parse(shown.expiresAt) - secondsLeft * 1_000;
  const watching = watchingOf(
    now,
    shown,
    ...Array.from({ length: waiting }, (_, more) => question(drop, { id: `${more}` })),
  );
  if (news !== null) watching.told(news);
  const content = watchedContent(watching, home, now, plain);
  const at = { id: content.id, focus: focus === 'approve' ? 0 : content.usual, first };
  return promptScreen(content, at, wasEndSeen, now, size, plain);
}

function watchingOf(now: number, ...open: readonly Ask[]): Watching {
  const watching = new Watching(() => now);
  watching.attached('the server, port 27432');
  for (const one of open) watching.asks.set(one.id, one);
  return watching;
}

const drop = 'drop table orders';
/** It contains names that others chose. */
function taking(lines: readonly string[], note: string | null = null): Ask {
  const asked = question('truncate shop.scratch cascade');
  return { ...asked, statement: asked.statement === null ? null : { ...asked.statement, takes: { lines, note } } };
}
const takes = taking([
  'empties shop.scratch (0 rows)',
  'empties shop.orders (500 rows), a child of shop.scratch',
  'empties shop.invoices_of_the_northern_branch (~1,204,331 rows), which refers to shop.orders',
  'drops "view\n| truncate \u001b[2Jnothing" (0 rows)',
]);
const notCounted = taking(['deletes up to ~2,000,000 rows of shop.orders'], uncountedBecause(othersLock));
const long = Array.from({ length: 60 }, (_, line) => `-- line ${line + 1}`).join('\n');
const blanks = `select 1;${'\n \t'.repeat(40)}\n${' '.repeat(900)}drop table orders;\n\n\n`;
const oneLine = `/*${'x'.repeat(90_000)}*/ drop table orders`;
const hostileText = [
  'drop table /* \u001b[2J\u001b[H\u202e zero\u200bwidth\ttab\tend\r',
  '> [ Approve ]   [ Deny ]   4:59 left',
  `  ${'長'.repeat(60)} e\u0301 \u0007\u009b2J \\u{41} */ orders`,
].join('\n');
const hostile = question(hostileText, {
  client: 'Editor\u001b[2J\n> [ Approve ]\u202eevil\u200b',
  token: `lap\ttop${'x'.repeat(80)}`,
  connection: { id: 'c1', name: 'shop\u2028\ttoken        admin', tags: [], colour: null },
});
function withNews(): Watching {
  const watching = watchingOf(noon + 61_000, question(drop));
  watching.ended({ id: 'abcdefgh', because: 'cancelled' });
  return watching;
}

function lostLater(): Watching {
  const watching = withNews();
  watching.put(question(drop));
  watching.lost('Sallyport is not running; `sallyport start` starts it.');
  return watching;
}

const update = 'update customers set name = $1 where id = $2';
const opened = request(update);
const counted = request(update, {
  answers: ['yes', 'run', 'no'],
  statement: opened.statement && {
    ...opened.statement,
    takes: { lines: ['changes 1 row of customers'], note: null },
  },
});
const hostKey = request(null, { means: 'Accepts the key SHA256:abc of db.example (ssh-ed25519).' });

/** Times of day are in the reader's own time zone. */
function fixture(name: string, lines: readonly string[]): void {
  const text = `${lines.join('\n')}\n`.replaceAll(/\d\d:\d\d:\d\d/g, 'HH:MM:SS');
  const file = new URL(`screens/question-${name}.txt`, import.meta.url);
  if (process.env.WRITE_SCREENS) writeFileSync(file, text);
  expect(text).toBe(readFileSync(file, 'utf8'));
}

describe('a screen', () => {
  test.each<[string, Ask, typeof large, Partial<State>]>([
    ['80x24', question(drop), large, {}],
    ['80x24-approve', question(drop), large, { focus: 'approve', secondsLeft: 61 }],
    ['80x24-too-late', question(drop), large, { focus: 'approve', secondsLeft: 0 }],
    [
      '80x24-two-more',
      question(drop),
      large,
      { waiting: 2, news: `You denied: ${destructiveTitle.text} (shop, Editor)` },
    ],
    ['80x24-long', question(long), large, {}],
    ['80x24-long-reached-for', question(long), large, { focus: 'approve', first: 20 }],
    ['80x24-long-end', question(long), large, { first: 60 }],
    ['80x24-blank-lines', question(blanks), large, {}],
    ['80x24-one-line', question(oneLine), large, { first: 5_000 }],
    ['80x24-hostile', hostile, large, {}],
    ['80x24-takes', takes, large, {}],
    ['80x24-not-counted', notCounted, large, {}],
    ['40x10-takes', takes, small, {}],
    ['80x24-first-use', question(null), large, {}],
    ['80x24-marked', question(drop, { connection: marked }), large, {}],
    ['40x10-marked', question(drop, { connection: { ...marked, name: 'the shop of the northern branch' } }), small, {}],
    ['80x24-bridge', question(drop, { token: null }), large, {}],
    ['60x24', question(drop), { columns: 60, rows: 24 }, {}],
    ['60x24-takes', takes, { columns: 60, rows: 24 }, {}],
    ['60x24-first-use', question(null), { columns: 60, rows: 24 }, {}],
    ['40x24', question(drop), { columns: 40, rows: 24 }, { waiting: 1 }],
    ['40x10', question(drop), small, {}],
    ['40x10-long', question(long), small, { waiting: 2 }],
    ['40x10-hostile', hostile, small, { first: 2 }],
    ['40x10-too-late', question(drop), small, { secondsLeft: 0 }],
    ['30x6', question(drop), { columns: 30, rows: 6 }, {}],
    ['request-80x24', request(update), large, {}],
    ['request-40x10', request(update), small, {}],
    ['request-counted-80x24', counted, large, {}],
    ['request-counted-40x10', counted, small, {}],
    ['request-host-key-80x24', hostKey, large, {}],
  ])('%s', (name, shown, size, state) => fixture(name, screenOf(shown, size, state).lines));

  test.each<[string, Watching, typeof large]>([
    ['waiting-80x24', withNews(), large],
    ['waiting-40x10', withNews(), small],
    ['waiting-lost', lostLater(), large],
    ['waiting-12x3', withNews(), { columns: 12, rows: 3 }],
  ])('%s', (name, watching, size) => {
    const content = watchedContent(watching, home, noon, plain);
    fixture(name, promptScreen(content, { id: '', focus: 1, first: 0 }, false, noon, size, plain).lines);
  });
});

const line = anyText(90);
const shape = fc.record({
  text: fc.array(fc.oneof(line, fc.constant('x'.repeat(500))), { maxLength: 30 }).map(lines => lines.join('\n')),
  client: line,
  token: fc.option(line),
  name: line,
  tables: fc.array(line, { maxLength: 30 }),
  columns: fc.integer({ min: 40, max: 150 }),
  rows: fc.integer({ min: 10, max: 50 }),
  first: fc.integer({ min: -5, max: 500 }),
  waiting: fc.integer({ min: 0, max: 20 }),
  secondsLeft: fc.integer({ min: 0, max: 300 }),
});

describe('with any statement and any names', () => {
  test.each([
    ['Production orders of the north', { columns: 80, rows: 30 }],
    ['Production orders of the north', { columns: 50, rows: 40 }],
    ['Shop', { columns: 40, rows: 24 }],
    ['Orders of the north', { columns: 40, rows: 10 }],
  ])('the name %s is whole in %j, and what tells production from a sandbox begins the line below', (name, size) => {
    const connection = { id: 'c1', name, tags: ['prod', 'eu-central', 'gdpr', 'x'.repeat(32)], colour: '#ff0000' };
    const { lines } = screenOf(question(drop, { connection }), size);
    expect(lines).toContain(`connection   ${name}`);
    expect(lines.find(line => line.startsWith('tags'))).toMatch(/^tags {9}#ff0000, prod/);
    for (const line of lines) expect(widthAtMost(line)).toBeLessThan(size.columns);
  });

  test('as plain lines neither the name nor the text after it is cut', () => {
    const tags = ['prod', 'x'.repeat(32)];
    const connection = { id: 'c1', name: 'Production orders of the north', tags, colour: '#ff0000' };
    const terminal = { stdout: { isTTY: true, columns: 50 }, environment: { NO_COLOR: '1' } } as unknown as Terminal;
    const lines = askLines(terminal, question(drop, { connection })).map(line => line.slice(15));
    expect(lines.join('')).toContain(`Production orders of the north#ff0000, prod,${'x'.repeat(32)}`);
  });

  test('a client’s own name is cut as a name, and what the daemon says is not', () => {
    const terminal = { stdout: {}, environment: {} } as unknown as Terminal;
    const means = 'w'.repeat(100);
    const shown = askLines(terminal, question(null, { client: 'n'.repeat(100), means })).join('\n');
    expect(/n{5,}…?/.exec(shown)?.[0]).toBe(`${'n'.repeat(63)}…`);
    expect(shown).toContain(means);
  });

  test('it says whether a token or a box asks', () => {
    for (const [label, isBox] of [
      ['token', false],
      ['box', true],
    ] as const)
      expect(screenOf(question(drop, { isBox }), large).lines).toContainEqual(
        expect.stringMatching(new RegExp(`^${label} +laptop`)),
      );
  });

  test('it fits its window, with everything that decides on it and nothing that acts', () => {
    fc.assert(
      fc.property(shape, ({ text, client, token, name, tables, columns, rows, first, waiting, secondsLeft }) => {
        const connection = { id: 'c1', name, tags: [], colour: null };
        const shown = question(text, { client, token, connection, tables });
        const state = { first, waiting, secondsLeft };
        const { lines, page, isEndSeen, problem } = screenOf(shown, { columns, rows }, state);
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
        // The answers are on a line of ours: each line of the statement has a bar in front.
        const answers = lines.filter(line => /^[> ] .{11} [> ] \[ Deny \]/.test(line));
        expect(answers).toHaveLength(1);
        expect(answers[0]?.includes('[ Approve ]')).toBe(isEndSeen && secondsLeft > 0);
        expect(problem === null).toBe(isEndSeen && secondsLeft > 0);
        expect(page?.shown).toBeGreaterThan(0);
        expect(lines.filter(line => /^[|:~]/.test(line))).toHaveLength(page?.shown ?? 0);
      }),
      { numRuns: 300 },
    );
  });

  test('paging down reaches each row, none twice', () => {
    fc.assert(
      fc.property(shape, ({ text, columns, rows }) => {
        const shown = question(text);
        let first = 0;
        const seen = new Map<number, string>();
        for (;;) {
          const screen = screenOf(shown, { columns, rows }, { first });
          const { lines, page } = screen;
          if (page === null) throw new Error('It is large enough');
          const from = lines.findIndex(line => /^[|:~]/.test(line));
          for (let row = 0; row < page.shown; row += 1) seen.set(page.first + row, lines[from + row] ?? '');
          if (screen.isEndSeen) break;
          first = afterKey(screen, 'page down').first;
          expect(first).toBeGreaterThan(page.first);
        }
        expect([...seen.values()]).toEqual(statementRows(text, columns - 1));
      }),
      { numRuns: 100 },
    );
  });

  test('its rows hold all characters except blanks, in order', () => {
    fc.assert(
      fc.property(shape, ({ text, columns }) => {
        const rows = statementRows(text, columns).filter(row => !row.startsWith('~'));
        const bare = (shown: string): string => shown.replaceAll(/[ \t\n]/g, '');
        expect(bare(rows.map(row => row.slice(2)).join(''))).toBe(bare(shownText(text, 'lines')));
      }),
      { numRuns: 100 },
    );
  });
});

describe('a statement', () => {
  test('is broken into rows; a continued row has another bar; tabs are blanks', () => {
    expect(statementRows('abcdef\n\tg\n', 6)).toEqual(['| abcd', ': ef', '|', ': g', '|']);
  });

  test('blanks push nothing out of sight, in lines or at their ends', () => {
    expect(statementRows(`a\n\n${'\n'.repeat(500)}b\n\nc`, 20)).toEqual([
      '| a',
      '~ … 501 blank lines',
      '| b',
      '|',
      '| c',
    ]);
    expect(statementRows(`a${' '.repeat(5_000)}b`, 20)).toEqual([
      '| a',
      '~ … 276 blank lines',
      ': '.padEnd(17).concat('b'),
    ]);
    expect(statementRows('a\n~ … 9 blank lines', 40)).toEqual(['| a', '| ~ … 9 blank lines']);
    expect(statementRows('\u00a0\n\u3000\n\u2003', 40)).toEqual(['| \\u{a0}', '| \\u{3000}', '| \\u{2003}']);
  });

  test('of 100 KB is laid out at once, in one line or in many', () => {
    const began = performance.now();
    expect(statementRows(oneLine, 79)).toHaveLength(Math.ceil(oneLine.length / 77));
    expect(statementRows('\u200b'.repeat(100_000), 79)).toHaveLength(Math.ceil(800_000 / 77));
    expect(statementRows('x\n'.repeat(50_000), 79)).toHaveLength(50_001);
    expect(statementRows('\n'.repeat(100_000), 79)).toHaveLength(1);
    expectWithin(began, 5_000);
  });

  const hundred = question(Array.from({ length: 100 }, (_, line) => `-- ${line}`).join('\n'));
  const tall = { columns: 80, rows: 24 };
  test.each([
    ['up', 19],
    ['down', 21],
    ['page up', 11],
    ['page down', 29],
    ['space', 29],
    ['home', 0],
    ['end', 90],
  ] as const)('%s moves it', (key, to) => {
    expect(screenOf(hundred, tall).page).toEqual({ first: 0, shown: 10, total: 100 });
    expect(afterKey(screenOf(hundred, tall, { first: 20 }), key)).toEqual({ id: 'abcdefgh', focus: 1, first: to });
  });

  test.each(['left', 'right', 'next', 'previous'] as const)('%s moves from one answer to the other', key => {
    expect(afterKey(screenOf(hundred, tall), key).focus).toBe(0);
    expect(afterKey(screenOf(hundred, tall, { focus: 'approve' }), key).focus).toBe(1);
  });

  test('can be approved once its end was shown, at once if it is short; never in a window too small for it', () => {
    expect(screenOf(question(drop), large).problem).toBeNull();
    expect(screenOf(question(long), large).problem).toBe('Scroll to the end to enable Approve.');
    expect(screenOf(question(long), large, { first: 60 })).toMatchObject({ isEndSeen: true, problem: null });
    expect(screenOf(question(long), large, { wasEndSeen: true }).problem).toBeNull();
    expect(screenOf(question(drop), large, { secondsLeft: 0 }).problem).toContain('has passed');
    const tiny = screenOf(question(drop), { columns: 39, rows: 24 }, { wasEndSeen: true });
    expect(tiny).toMatchObject({ page: null, problem: expect.stringContaining('too small') });
    expect(afterKey(tiny, 'left')).toBe(tiny.at);
    expect(screenOf(question(drop), { columns: 30, rows: 6 }).isEndSeen).toBe(false);
  });
});

describe('a request', () => {
  const sizes = Array.from({ length: 40 }, (_, rows) => ({ columns: 80, rows: rows + 1 }));
  const longNames = { client: 'x'.repeat(200), program: 'claude, '.repeat(20), token: 'y'.repeat(200) };

  test.each(sizes)('gives nothing before a row of its statement was seen, in %j', size => {
    const shown = request(update, { answers: counted.answers, statement: counted.statement, ...longNames });
    for (const first of [0, 5, 500]) {
      const { page, problem } = screenOf(shown, size, { first });
      if (problem === null) expect(page?.shown).toBeGreaterThan(0);
    }
  });

  test.each(sizes.slice(9))('for a host key shows the whole fingerprint before it can be allowed, in %j', size => {
    const fingerprint = 'SHA256:abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG';
    const means = `Accepts the host key of ${'bastion.'.repeat(12)}example: ecdsa-sha2-nistp256, ${fingerprint}, now and later.`;
    for (const columns of [40, 61, 80]) {
      const seen = new Set<string>();
      for (let first = 0; first < 40; first += 1) {
        const { lines, problem } = screenOf(request(null, { means }), { ...size, columns }, { first });
        for (const line of lines) seen.add(line);
        if (problem === null) expect([...seen].join('').replaceAll('…', '')).toContain(fingerprint.slice(-8));
      }
    }
  });

  test('that can only be counted asks for no scrolling', () => {
    expect(screenOf(request(long), large).problem).toBeNull();
    const shown = { ...counted, statement: { ...counted.statement, text: long } } as Ask;
    expect(screenOf(shown, large).problem).toBe('Scroll to the end to enable Once.');
  });

  test('whose run was held back waits on, and its new figures must be seen', () => {
    const watching = watchingOf(noon);
    watching.put(counted);
    const before = watchedContent(watching, home, noon, plain).id;
    watching.hold(counted.id);
    watching.ended({ id: counted.id, because: 'yes' });
    const takes = { lines: ['changes 900 rows of customers'], note: null };
    watching.put({ ...counted, statement: counted.statement && { ...counted.statement, takes } });
    expect(watching.release(null)).toBe(false);
    expect(watching.asks.has(counted.id)).toBe(true);
    expect(watchedContent(watching, home, noon, plain).id).not.toBe(before);
  });

  test('past its time waits no more, aside or not', () => {
    const watching = new Watching(() => noon);
    watching.put(counted);
    watching.putAside(counted.id);
    expect([watching.inTurn().length, watching.aside()]).toEqual([0, 1]);
    watching.ended({ id: counted.id, because: 'timeout' });
    expect([watching.inTurn().length, watching.aside()]).toEqual([0, 0]);
  });
});

describe('the watched questions', () => {
  const [first, second] = [question(drop, { id: 'first' }), question(drop, { id: 'second' })];
  const sentences = ({ news }: Watching) => news.map(({ sentence }) => sentence);

  test.each([
    ['yes', 'Approved elsewhere: '],
    ['no', 'Denied elsewhere: '],
    ['timeout', 'Out of time: '],
    ['cancelled', 'Withdrawn by its client: '],
  ] as const)('report how one ended (%s), once', (because, told) => {
    const watching = watchingOf(noon, first, second);
    watching.ended({ id: 'first', because });
    watching.ended({ id: 'first', because });
    expect([...watching.asks.keys()]).toEqual(['second']);
    expect(sentences(watching)).toEqual([`${told}${destructiveTitle.text} (shop, Editor)`]);
  });

  test('say how one ended elsewhere while it was answered here, if that answer came too late', () => {
    for (const [here, told] of [
      [null, 'Denied elsewhere'],
      ['You approved', 'You approved'],
    ] as const) {
      const watching = watchingOf(noon, first);
      watching.hold('first');
      watching.ended({ id: 'first', because: 'no' });
      expect([watching.asks.size, sentences(watching)]).toEqual([1, []]);
      expect(watching.release(here)).toBe(true);
      expect([watching.asks.size, sentences(watching)]).toEqual([
        0,
        [`${told}: ${destructiveTitle.text} (shop, Editor)`],
      ]);
    }
  });

  test('end with the daemon, and report that once', () => {
    const watching = watchingOf(noon, first);
    watching.lost('It is gone.');
    watching.lost('It is still gone.');
    expect(watching.link).toEqual({ kind: 'lost', problem: 'It is still gone.', atMilliseconds: noon });
    expect(watching.asks.size).toBe(0);
    expect(sentences(watching)).toEqual([`Gone with it: ${destructiveTitle.text} (shop, Editor)`, 'Sallyport stopped']);
    watching.attached('the server');
    expect(sentences(watching)[0]).toBe('Sallyport runs again');
  });
});

describe('a run that failed', () => {
  const run = (failed: string | null, mayHaveRun?: boolean, id = '0') => ({
    id,
    rowsAffected: null,
    warnings: [],
    failed,
    ...(mayHaveRun !== undefined && { mayHaveRun }),
  });
  const stays = 'Step 2 failed, and the one before it stays. No such table.';

  test.each([
    [1, [run('The connection is gone.', false)], 'It did not run. The connection is gone.'],
    [1, [run('It still fails.')], 'It did not run. It still fails.'],
    [1, [run(stays, true)], stays],
    [2, [run(null, true), run(stays, true, '1')], `Number 2: ${stays}`],
    [3, [run(stays, true)], `Number 1: ${stays} 2 after it did not run, and still wait.`],
  ])('is said to have left nothing only where that is so: %#', (count, ran, problem) => {
    const ids = Array.from({ length: count }, (_, at) => String(at));
    const left = count - ran.length;
    expect(outcomeOf({ ids, answer: 'run' }, ran, false, left).problem?.text).toBe(problem);
  });
});

test('a person who asks again is told how their run before it failed', async () => {
  const told: string[] = [];
  const terminal = { stderr: { write: (text: string) => told.push(text) } } as unknown as Terminal;
  for (const failed of [null, 'Step 2 failed, and the one before it stays. No such\u202e table.']) {
    const { structuredContent, meta } = ranAnswer({ at: Date.parse('2026-11-20T12:00:00Z'), rows: [1], failed });
    const answers = [{ content: structuredContent as Record<string, unknown>, meta: meta ?? {} }];
    const again = { content: { state: 'waits' }, meta: {} };
    expect(await onceMore(terminal, async () => answers.pop() ?? again, 'propose_changes', {})).toBe(again);
  }
  expect(told[0]).toMatch(/^You ran the same at \d\d:\d\d:\d\d\.\n$/);
  expect(told[1]).toMatch(
    /^You ran this statement at \d\d:\d\d\. Step 2 failed, .* stays\. No such\\u\{202e\} table\.\n$/,
  );
});
