/** What a password command printed. */

import { expect, test } from '@jest/globals';
import { printedPassword } from '../../../daemon/storage/secrets/printed-password.ts';

const noon = Date.parse('2026-01-31T12:00:00Z');

test.each<[printed: string, password: string, endsAt: number | null]>([
  ['hunter2\n', 'hunter2', null],
  [' a b \r\n', ' a b ', null],
  ['{brace', '{brace', null],
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
