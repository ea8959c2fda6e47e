/**
 * Any notice that a server sends is read safely: endless lists, repeated fields, bytes that are no
 * text.
 */

import { expect, test } from '@jest/globals';
import { endedError } from '../../../daemon/engines/postgres/wire/messages.ts';
import { noticeText } from '../../../daemon/engines/postgres/wire/notice.ts';

function notice(body: string | Buffer): Buffer {
  const bytes = Buffer.from(body as string);
  const head = Buffer.alloc(5, 'N');
  head.writeInt32BE(bytes.length + 4, 1);
  return Buffer.concat([head, bytes]);
}

test.each([
  ['SHINWEIS\0VNOTICE\0C00000\0Mhello\0\0', 'NOTICE: hello'],
  ['SWARNING\0VWARNING\0C01000\0Mm\0Dd\0Hh\0\0', 'WARNING: m\nDetail: d\nHint: h'],
  ['SINFO\0VINFO\0Mi\0\0', 'INFO: i'],
  ['SLOG\0VLOG\0Mplan of another\0\0', null],
  ['SDEBUG1\0VDEBUG\0Mx\0\0', null],
  // PostgreSQL before 9.6 sent no V, and a translation doesn't show which word it is.
  ['SNOTICE\0Mx\0\0', null],
  ['VNOTICE\0Mwithout an end', 'NOTICE: without an end'],
  ['VNOTICE\0', 'NOTICE: '],
  ['VNOTICE\0Mone\0Mtwo\0\0', 'NOTICE: two'],
  ['', null],
  ['\0\0\0\0', null],
])('%j', (body, told) => {
  expect(noticeText(notice(body))).toBe(told);
});

test('bytes that aren’t UTF-8 are replaced, and a cut text ends with a word that says so, wherever the cut was', () => {
  expect(noticeText(notice(Buffer.from('VNOTICE\0M\xff\xfe\0\0', 'latin1')))).toBe('NOTICE: \ufffd\ufffd');
  const whole = notice('SNOTICE\0VNOTICE\0Mmany words\0Dand more\0\0');
  for (let at = 5; at <= whole.length; at += 1) {
    const told = noticeText(endedError(whole.subarray(0, at)));
    expect(told === null || told.startsWith('NOTICE: ')).toBe(true);
  }
  expect(noticeText(endedError(whole.subarray(0, 25)))).toContain('[…the rest is not read…]');
});
