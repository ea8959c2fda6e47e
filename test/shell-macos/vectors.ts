/**
 * The results that the macOS shell's own rules must have, computed with the rules of the other
 * shells: shared/fixtures/*.json, which the Swift tests read. This file only has the inputs.
 */

import { blankRowsCounted, longBlanksCounted } from '../../shared/blank-rows.ts';
import { shownName, shownText } from '../../shared/shown-text.ts';

export const vectors: Readonly<Record<string, () => unknown>> = {
  'shown-text': () => ({
    texts: texts.map(text => ({ text, line: shownText(text), lines: shownText(text, 'lines'), name: shownName(text) })),
    escaped: escapedRanges(),
  }),
  'statement-rows': () =>
    statements.map(text => ({
      text,
      rows: blankRowsCounted(shownText(text, 'lines').split('\n').flatMap(longBlanksCounted)),
    })),
};

/**
 * First and last of each run of escaped code points, without surrogates and those that no version
 * of Unicode has assigned yet.
 */
function escapedRanges(): (readonly [number, number])[] {
  const ranges: [number, number][] = [];
  for (let code = 0; code <= 0x10ffff; code += 1) {
    const character = String.fromCodePoint(code);
    if (/\p{Cn}|\p{Cs}/u.test(character) || shownText(character) === character) continue;
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === code - 1) last[1] = code;
    else ranges.push([code, code]);
  }
  return ranges;
}

const texts = [
  'plain ünïcode 🐚 藍',
  '\u001b[2J\u001b[31mApprove',
  'a\u202eb\u2066c',
  'zero\u200bwidth\u2060\ufeff',
  'select 1\n\tfrom t\r\n where x = 1',
  '\u2028\u2029\u0085\u009b',
  'tag \u{e0041}',
  'hangul filler \u3164',
  'blanks \u00a0\u1680\u2000\u200a\u202f\u205f\u3000',
  'variation a\ufe00b\ufe0e \u2764\ufe0f \u{e0100}\u{e01ef} \u180b\u180c\u180d\u180e\u180f',
  'fillers \u034f\u115f\u1160\u17b4\u17b5\uffa0\u00ad, braille \u2800\u2801',
  'operators \u2061\u2062\u2063\u2064, notes \ufff9\ufffa\ufffb, tags \u{e0000}\u{e007f}',
  'a false \\u{1b}, and \\\\u{1b}, and \\u',
  'family 👩‍👩‍👧 and flag 🇩🇪 and e\u0301 and \u0301 alone',
  'x'.repeat(64),
  'x'.repeat(65),
  '🐚\n'.repeat(64),
  '',
];

const blanks = ' '.repeat(40);
const statements = [
  'delete from t',
  'select 1\n  from t\n\n where x = 1',
  `delete from t where id = 1${blanks}or true`,
  `delete from t where id = 1${blanks.slice(1)}or true`,
  'delete from t where id = 1\t\t\t\t\tor true',
  `${blanks}or true${blanks} -- ${blanks}`,
  `a\n\n\n \t\n${blanks}\nb\n`,
  `a\n${blanks.repeat(9)}\nb`,
  `a${blanks}\u0301b\n\u0301\n${blanks}\u0301`,
  `\n\n`,
  '~ … 40 blanks\n… 40 blanks\n> a\n: b',
  `a\u00a0${blanks}\r\n\u2800\n\n`,
  '',
];
