/**
 * A reason in parts: its English is what a template would give, whatever stands in it, and it never
 * says more than was said.
 */

import { expect, test } from '@jest/globals';
import { english, reasonOf, say, together, worded } from '../../daemon/guard/reason.ts';

const hostile = ['%@', "$& $' $1", '\u202e\n\0', '\\u{41} `x`', 'x'.repeat(10_000), ''];

test.each(hostile)('its English is the template with its values: %j', name => {
  expect(english(say`DROP ${name} of ${name} removes it.`)).toBe(`DROP ${name} of ${name} removes it.`);
  expect(say`DROP ${name} removes it.`).toEqual([{ code: 'DROP %@ removes it.', values: [name] }]);
});

test('parts follow each other; behind a sentence without a code nothing has one', () => {
  const both = together(say`Behind ${'f'}:`, say`it may write.`);
  expect(both).toHaveLength(2);
  expect(english(both)).toBe('Behind f: it may write.');
  expect(together(say`Behind ${'f'}:`, 'it ends the session; leave it out.')).toBe(
    'Behind f: it ends the session; leave it out.',
  );
});

test('as a classification has it, and back', () => {
  for (const reason of ['It only reads.', say`TRUNCATE removes every row.`]) {
    expect(worded(reason).reason).toBe(english(reason));
    expect(reasonOf(worded(reason))).toEqual(reason);
  }
});
