import { expect, test } from '@jest/globals';
import { inexactNumberIn } from '../../../daemon/clients/mcp/json-numbers.ts';

test.each([
  ['[0.12345678901234567890123]', '0.12345678901234567890123'],
  ['{"a":[1,-1234567890123456.789]}', '-1234567890123456.789'],
  ['{"a":1e400}', '1e400'],
  ['{"a":-1E+999}', '-1E+999'],
  ['{"a":1e-400}', '1e-400'],
  ['{"a":1000000000000000000000001}', '1000000000000000000000001'],
  [String.raw`{"a\\":"\"","b":123456789012345678901234567890}`, '123456789012345678901234567890'],
  ['[1e21,1.00000000000000000001e5]', '1.00000000000000000001e5'],
])('%s', (text, number) => {
  expect(() => JSON.parse(text)).not.toThrow();
  expect(inexactNumberIn(text)).toBe(number);
});

test('a number of a megabyte takes no long look', () => {
  const number = `0.${'0'.repeat(1_000_000)}1`;
  expect(inexactNumberIn(`[${number}]`)).toBe(number);
});

test.each([
  '[1e308,1.7976931348623157e308,5e-324,1e21,-1e-7,0.1,-0,0]',
  // Doubles as programs print them, with the fewest digits or with 17.
  '[0.30000000000000004,0.10000000000000001,1.0000000000000000000000,100000000000000000000000]',
  // A client may have rounded these itself: the check of the arguments handles them.
  '[9007199254740993,12345678901234567890]',
  '[0e999,0.0e-999]',
  String.raw`{"0.12345678901234567890123":"1e400 \\" , "b":"\\\"1e400"}`,
  '"1e400"',
])('%s holds none', text => {
  expect(() => JSON.parse(text)).not.toThrow();
  expect(inexactNumberIn(text)).toBeNull();
});
