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
  ['hangul filler \u3164', 'hangul filler \\u{3164}'],
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
