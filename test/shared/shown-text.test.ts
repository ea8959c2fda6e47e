import { expect, test } from '@jest/globals';
import { shownName, shownText } from '../../shared/shown-text.ts';

test.each([
  ['plain ünïcode 🐚 藍', 'plain ünïcode 🐚 藍'],
  ['\u001b[2J\u001b[31mApprove', '\\u{1b}[2J\\u{1b}[31mApprove'],
  ['a\u202eb\u2066c', 'a\\u{202e}b\\u{2066}c'],
  ['zero\u200bwidth\u2060\ufeff', 'zero\\u{200b}width\\u{2060}\\u{feff}'],
  ['line\nfeed\r\ttab', 'line\\u{a}feed\\u{d}\\u{9}tab'],
  ['\u2028\u2029\u0085\u009b', '\\u{2028}\\u{2029}\\u{85}\\u{9b}'],
  ['tag \u{e0041}', 'tag \\u{e0041}'],
  ['half \ud800', 'half \\u{d800}'],
  ['no\u00a0break \u1680\u2003\u202f\u205f\u3000', 'no\\u{a0}break \\u{1680}\\u{2003}\\u{202f}\\u{205f}\\u{3000}'],
  ['hangul filler \u3164', 'hangul filler \\u{3164}'],
  ['variation a\ufe00b\ufe0e \u{e0100}\u{e01ef}', 'variation a\\u{fe00}b\\u{fe0e} \\u{e0100}\\u{e01ef}'],
  ['emoji \u2764\ufe0f', 'emoji \u2764\\u{fe0f}'],
  ['mongolian \u180b\u180d\u180e\u180f', 'mongolian \\u{180b}\\u{180d}\\u{180e}\\u{180f}'],
  ['fillers \u034f\u115f\u1160\u17b4\u17b5\uffa0', 'fillers \\u{34f}\\u{115f}\\u{1160}\\u{17b4}\\u{17b5}\\u{ffa0}'],
  ['operators \u2061\u2064', 'operators \\u{2061}\\u{2064}'],
  ['braille \u2800\u2801', 'braille \\u{2800}\u2801'],
  ['notes \ufff9\ufffb', 'notes \\u{fff9}\\u{fffb}'],
  ['a false \\u{1b}', 'a false \\u{5c}u{1b}'],
])('%j is shown as %s', (text, shown) => {
  expect(shownText(text)).toBe(shown);
});

test('a statement keeps its lines', () => {
  expect(shownText('select 1\n\tfrom t\r', 'lines')).toBe('select 1\n\tfrom t\\u{d}');
});

test('a name is one line of at most 64 characters', () => {
  expect(shownName('x'.repeat(64))).toBe('x'.repeat(64));
  expect([...shownName('🐚\n'.repeat(64))]).toHaveLength(64);
});
