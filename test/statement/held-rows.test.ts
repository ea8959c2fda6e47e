/**
 * The rows held for `fetch_rows` are limited in number, memory and time, and belong only to their
 * principal.
 */

import { expect, test } from '@jest/globals';
import { type heldLimits, holdRows } from '../../daemon/statement/held-rows.ts';
import { collectRows } from '../../daemon/statement/result-set.ts';
import { connectionWith, principalWith } from '../access/principals.ts';

const limits = { resultsOfPrincipal: 3, bytesOfPrincipal: 10_000, bytesInAll: 25_000, milliseconds: 600_000 };
const connection = connectionWith();
const [ann, bob, cleo] = ['ann', 'bob', 'cleo'].map(id => principalWith({ id, tokenId: `token of ${id}` })) as [
  ReturnType<typeof principalWith>,
  ReturnType<typeof principalWith>,
  ReturnType<typeof principalWith>,
];

function open(given: typeof heldLimits = limits) {
  let now = 0;
  const held = holdRows(() => now, given);
  const pass = (milliseconds: number): void => {
    now += milliseconds;
  };
  return { held, pass };
}

/** Rows of 1,000 bytes. The first may always be kept, since it is in the answer anyway. */
function readAndHold(held: ReturnType<typeof holdRows>, who: typeof ann, rows: number, from = connection) {
  const reading = held.begin(who);
  const collector = collectRows(10_000, 1_000, reading.room);
  for (let row = 0; row < rows; row += 1)
    if (!collector.row({ json: JSON.stringify(['x'.repeat(995)]), cuts: [] })) break;
  const result = { ...collector.collected(), warnings: [] };
  const name = reading.hold({ result, connection: from, format: 'rows', spared: { from: 0, bytes: 0 } });
  reading.end();
  return { rows: result.rows.length, truncatedBy: result.truncatedBy, name: name ?? '' };
}

test('another principal finds nothing, and neither does a guess', () => {
  const { held } = open();
  const { name } = readAndHold(held, ann, 5);
  expect(held.find(ann, name)?.result.rows.length).toBe(5);
  expect(held.find(bob, name)).toBeNull();
  expect(held.find(ann, `${name}x`)).toBeNull();
  expect(name).toMatch(/^[\w-]{24}$/);
});

test('it is gone with its time, its token and its connection', () => {
  const { held, pass } = open();
  const { name } = readAndHold(held, ann, 2);
  pass(599_999);
  expect(held.find(ann, name)).not.toBeNull();
  pass(1);
  expect(held.find(ann, name)).toBeNull();

  const again = readAndHold(held, ann, 2).name;
  const other = readAndHold(held, bob, 2).name;
  held.forgetToken(ann.tokenId);
  expect(held.find(ann, again)).toBeNull();
  expect(held.find(bob, other)).not.toBeNull();
  held.forgetConnection(connection.id);
  expect(held.find(bob, other)).toBeNull();
});

test('a principal has a few results: the one unused for longest gives way', () => {
  const { held } = open();
  const names = [1, 2, 3].map(() => readAndHold(held, ann, 1).name);
  expect(held.find(ann, names[0] ?? '')).not.toBeNull();
  readAndHold(held, ann, 1);
  expect(names.map(name => held.find(ann, name) !== null)).toEqual([true, false, true]);
});

test('one result is read no further than its principal’s memory', () => {
  const { held } = open();
  const { rows, truncatedBy, name } = readAndHold(held, ann, 100);
  expect({ rows, truncatedBy }).toEqual({ rows: 9, truncatedBy: 'bytes' });
  expect(held.find(ann, name)?.result.rows.length).toBe(9);
});

test('there is a limit for all, and a result being read doesn’t give way', () => {
  const { held } = open();
  const first = readAndHold(held, ann, 9).name;
  const second = readAndHold(held, bob, 9).name;
  // The third doesn't fit beside the two, so the one unused for longest is dropped.
  const third = readAndHold(held, cleo, 9).name;
  expect([held.find(ann, first), held.find(bob, second), held.find(cleo, third)].map(one => one !== null)).toEqual([
    false,
    true,
    true,
  ]);

  const reading = [ann, bob, cleo].map(who => held.begin(who));
  const taken = reading.map(({ room }) => Array.from({ length: 20 }, () => room(960)).filter(Boolean).length);
  expect(taken).toEqual([10, 10, 5]);
  expect(readAndHold(held, ann, 5)).toEqual({ rows: 1, truncatedBy: 'bytes', name: '' });
  for (const one of reading) one.end();
  expect(readAndHold(held, ann, 5)).toMatchObject({ rows: 5, truncatedBy: null });
});
