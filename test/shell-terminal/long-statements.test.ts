/** A statement of 52 KB is a row of a list, with its length, and whole on its card. */

import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import type { HistoryEntryView } from '../../shared/control-commands.ts';
import { listedText } from '../../shared/text-size.ts';
import { type Ask, askTable, ofClients } from '../../shell-terminal/desk/asks.ts';
import { cardLines } from '../../shell-terminal/desk/card.ts';
import { historyLines } from '../../shell-terminal/history-lines.ts';
import type { Terminal } from '../../shell-terminal/terminal.ts';

const long = `SELECT '${'x'.repeat(52_000)}',\n 'the end'`;
const size = '(52021 characters, 2 lines)';
const pipe = { stdout: { isTTY: false }, environment: {} } as unknown as Terminal;
const sampled = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../shared/fixtures/control/${name}.result.json`, import.meta.url), 'utf8'))
    .result;

test.each([
  ['short', 10, 'short'],
  ['exactly', 7, 'exactly'],
  ['exactly!', 7, 'exactly… (8 characters, 1 line)'],
  ['😀😀😀', 2, '😀😀… (3 characters, 1 line)'],
  ['a\nb\nc', 3, 'a\nb… (5 characters, 3 lines)'],
])('%j in %d characters: %j', (text, most, shown) => expect(listedText(text, most)).toBe(shown));

test('a text of many lines is listed by its first ones', () =>
  expect(listedText('a\nb\nc', 100, 2)).toBe('a\nb… (5 characters, 3 lines)'));

test('`sallyport allow` lists its beginning, and the card has it whole', () => {
  const request = ofClients(sampled('desk.list').asks).find(({ waits }) => !waits) as Ask;
  const asked = { ...request, statement: { ...request.statement, text: long, lines: 2 } } as Ask;
  const [, row = '', ...more] = askTable(pipe, [asked, request]);
  expect(more).toHaveLength(1);
  expect(row).toContain('… (2 lines)');
  expect(row.length).toBeLessThan(500);
  const narrow = { stdout: { isTTY: true, columns: 120 }, environment: { NO_COLOR: '1' } } as unknown as Terminal;
  expect(askTable(narrow, [asked, request])).toHaveLength(3);
  const card = cardLines(pipe, asked).join('');
  expect(card.match(/x/g)?.length).toBeGreaterThanOrEqual(52_000);
  expect(card).toContain('the end');
});

test.each([60, 80, 85, 90])('on %d columns the list still tells what each asks', columns => {
  const request = ofClients(sampled('desk.list').asks).find(({ waits }) => !waits) as Ask;
  const ask = {
    ...request,
    connection: { ...request.connection, name: 'shop', tags: [], colour: null },
    client: 'claude-code',
  };
  const text = '1. update orders set customer_id = 7 where customer_id = 9\n\n2. delete from customers where id = 9';
  const plan = { ...ask, statement: { ...request.statement, text, lines: 3, statements: 2 } } as Ask;
  const insert = {
    ...ask,
    statement: { ...request.statement, text: 'insert into reviews values (99, 7, 5)', lines: 1 },
  } as Ask;
  const stdout = { isTTY: true, columns };
  const shown = askTable({ stdout, environment: { NO_COLOR: '1' } } as unknown as Terminal, [plan, insert]);
  for (const line of shown) expect(line.length).toBeLessThanOrEqual(columns);
  const words = shown.join(' ').replace(/\s+/g, ' ');
  expect(words).toMatch(/run: insert into reviews val/);
  expect(words).toMatch(/run a plan of 2: 1\. update orders/);
});

test.each([80, 85, 90])('on %d columns a word that is longer than its column stays in a table', columns => {
  const request = ofClients(sampled('desk.list').asks).find(({ waits }) => !waits) as Ask;
  const text = 'insert into reviews(customer_id,product_id,rating,written_at,title) values (9, 7, 5)';
  const ask = {
    ...request,
    connection: { ...request.connection, name: 'shop', tags: [], colour: null },
    client: 'claude-code',
    statement: { ...request.statement, text, lines: 1 },
  } as Ask;
  const stdout = { isTTY: true, columns };
  const [titles = '', ...rows] = askTable({ stdout, environment: { NO_COLOR: '1' } } as unknown as Terminal, [ask]);
  expect(titles).toMatch(/CLIENT .*ASKS TO/);
  for (const line of rows) expect(line.length).toBeLessThanOrEqual(columns);
  expect(rows.join(' ')).toMatch(/reviews\(customer\S*…/);
});

test('`sallyport history` lists its beginning', () => {
  const { statements } = sampled('history.query') as { statements: HistoryEntryView[] };
  const lines = historyLines(pipe)({ ...(statements[0] as HistoryEntryView), statement: long }).join('\n');
  expect(lines).toContain(`… ${size}`);
  expect(lines.length).toBeLessThan(2_500);
  expect(lines).not.toContain('the end');
});

test('`sallyport history` names a client of the bridge as it calls itself', () => {
  const { statements } = sampled('history.query') as { statements: HistoryEntryView[] };
  const bridged = { principal: '__stdio_bridge__', tokenName: '__stdio_bridge__', client: 'cursor-vscode' };
  const lines = historyLines(pipe)({ ...(statements[0] as HistoryEntryView), ...bridged }).join('\n');
  expect(lines).toMatch(/cursor-vscode on /);
});
