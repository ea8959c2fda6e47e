/** What a password command printed. */

import { expect, test } from '@jest/globals';
import { printedPassword } from '../../../daemon/storage/secrets/printed-password.ts';

const noon = Date.parse('2026-01-31T12:00:00Z');

test.each<[printed: string, password: string, endsAt: number | null]>([
  ['hunter2\n', 'hunter2', null],
  ['a b\r\n', 'a b', null],
  ['hunter2\n\n', 'hunter2', null],
  ['hunter2\r\n\r\n', 'hunter2', null],
  ['\ufeffhunter2', 'hunter2', null],
  ['{"password":" a b "}', ' a b ', null],
  ['\ufeff{"password":"p\u00a0"}\n', 'p\u00a0', null],
  ['\n {"password":"p"}', 'p', null],
  ['{brace', '{brace', null],
  ['{', '{', null],
  ['a\tb', 'a\tb', null],
  ['Ⅸ-ü-😀\n', 'Ⅸ-ü-😀', null],
  ['["password"]', '["password"]', null],
  ['{"password":"p"}\n', 'p', null],
  ['{"password":"p","expiresAt":null}', 'p', null],
  ['{"password":"p","expiresAt":"2026-01-31T12:00:00Z","username":"u"}', 'p', noon],
  ['{"password":"p","expiresAt":"2026-01-31T13:00:00.000+01:00"}', 'p', noon],
  ['{"password":"p","expiresAt":"2026-01-31T12:00Z"}', 'p', noon],
  [`{\n  "password": "p",\n  "expiresAt": ${noon / 1_000}\n}\n`, 'p', noon],
])('%j', (printed, password, endsAt) => {
  expect(printedPassword(printed)).toEqual({ password, endsAt });
});

test.each([
  ['', 'no password'],
  ['\n', 'no password'],
  [' \t\n', 'no password'],
  ['{"password":""}', 'no password'],
  ['hunter2\nhunter2\n', 'more than one line'],
  ['hunter2\n\nhunter2', 'more than one line'],
  ['\nhunter2', 'more than one line'],
  ['null\n', 'no password'],
  // `printf '{"password":"%s"}' "$(jq -r …)"` prints this.
  ['{"password":"null"}', 'no password'],
  // Whether they belong to it can't be known, and three wrong ones may lock an account.
  [' hunter2\n', 'JSON'],
  ['hunter2 \r\n', 'JSON'],
  ['hunter2\t', 'JSON'],
  ['\u00a0hunter2', 'JSON'],
  ['hunter2\u3000\n', 'JSON'],
  ['hunter2\f', 'control characters'],
  ['\vhunter2', 'control characters'],
  ['hunter2\ufeff', 'control characters'],
  ['\ufeff\ufeffhunter2', 'control characters'],
  ['Enter your PIN:\rhunter2', 'more than one line'],
  ['{"password":"hunter2\\nhunter2"}', 'more than one line'],
  ['\u001b[32mhunter2\u001b[0m\n', 'control characters'],
  ['\u009b32mhunter2', 'control characters'],
  ['hunter2\ufeffhunter2', 'control characters'],
  ['h\0u\0n\0t\0e\0r\x002\0', 'control characters'],
  ['hunter2\ufffd', 'UTF-8'],
  ['{"password":"hunter2","expi', 'torn'],
  ['{"password":"hunter2"}{"password":"hunter2"}', 'torn'],
  ['{\n  "password": "hunter2",\n', 'torn'],
  ['{}', 'named password'],
  ['{"password":1}', 'named password'],
  ['{"password":"hunter2","expiresAt":"soon"}', 'expiresAt'],
  ['{"password":"hunter2","expiresAt":"2026-01-31T12:00:00"}', 'expiresAt'],
  ['{"password":"hunter2","expiresAt":"2026-99-31T12:00:00Z"}', 'expiresAt'],
  ['{"password":"hunter2","expiresAt":true}', 'expiresAt'],
])('%j is refused without a word of it', (printed, names) => {
  const { problem } = printedPassword(printed) as { problem: string };
  expect(problem).toContain(names);
  expect(problem).not.toContain('hunter2');
});
