/**
 * A reason in parts: its English is what a template would give, whatever stands in it, and it never
 * says more than was said.
 */

import { expect, test } from '@jest/globals';
import { english, joinReasons, reasonOf, say, worded } from '../../daemon/guard/reason.ts';

const hostile = ['%@', "$& $' $1", '\u202e\n\0', '\\u{41} `x`', 'x'.repeat(10_000), ''];

test.each(hostile)('its English is the template with its values: %j', name => {
  expect(english(say('%@ … DROP removes %@ for good.', name, name))).toBe(`${name} … DROP removes ${name} for good.`);
  expect(say('%@ writes rows.', name)).toEqual([{ code: '%@ writes rows.', values: [name] }]);
});

test('parts follow each other; behind a sentence without a code nothing has one', () => {
  const both = joinReasons(say('Behind %@:', 'f'), say('only reads.'));
  expect(both).toHaveLength(2);
  expect(english(both)).toBe('Behind f: only reads.');
  expect(joinReasons(say('Behind %@:', 'f'), 'it ends the session; leave it out.')).toBe(
    'Behind f: it ends the session; leave it out.',
  );
});

test('as a classification has it, and back', () => {
  for (const reason of ['It only reads.', say('TRUNCATE removes every row.')]) {
    expect(worded(reason).reason).toBe(english(reason));
    expect(reasonOf(worded(reason))).toEqual(reason);
  }
});

test('the compiler holds a text to the table, and its values to their number', () => {
  // @ts-expect-error It has no row.
  say('TRUNCATE removes some rows.');
  // @ts-expect-error One value is missing.
  say('%@ … DROP removes %@ for good.', 'ALTER TABLE');
  // @ts-expect-error One is too much.
  say('TRUNCATE removes every row.', 'orders');
  // @ts-expect-error A text that is counted is no code.
  say('%lld wait for you');
});
