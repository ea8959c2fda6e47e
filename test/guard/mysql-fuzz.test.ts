/**
 * Mutates statements so that a server would do the same, and checks that the class stays. fuzz.ts
 * says how long.
 */

import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { classifyMysql as classify } from '../../daemon/guard/mysql/classify.ts';
import { tokenize } from '../../daemon/guard/mysql/tokenizer.ts';
import { fuzzSeconds } from './fuzz.ts';
import { decidedByText } from './statements/table.ts';

const budget = (share: number) => ({
  numRuns: Number.MAX_SAFE_INTEGER,
  interruptAfterTimeLimit: fuzzSeconds * 1000 * share,
  markInterruptAsFailure: false,
});

const known = decidedByText('mysql').filter(({ sql }) => sql.length < 5000);
const nonReads = known.filter(each => each.class !== 'read').map(({ sql }) => sql);
const reads = known.filter(each => each.class === 'read').map(({ sql }) => sql);

/** Text between two tokens that means the same as a blank. */
const gap = fc.constantFrom(
  ' ',
  '\t',
  '\n',
  '\r\n',
  '\f',
  '\v',
  '  ',
  '/**/',
  '/* x */',
  '/* SELECT 1 */',
  "/* ' */",
  '/* " */',
  '/* ` */',
  '/* ; */',
  '-- x\n',
  "--\t'\n",
  '#\n',
  '# " ` \n',
  '/*+ x */',
  '/* # */',
  '/* -- */',
  '/***/',
  '/*/ */',
  '-- \\\n',
  '/* é */',
);
/** Text around a token: code on every server, on some, or on none. */
const executable = fc.constantFrom(
  ['/*!', ' */'],
  ['/*!50000 ', '*/'],
  ['/*!50000', ' */'],
  ['/*M! ', ' */'],
  ['/*M!100100 ', '*/'],
  ['/*!80000 ', ' */'],
  ['/*!100500 ', ' */'],
) as fc.Arbitrary<[string, string]>;

interface Piece {
  readonly text: string;
  readonly kind: string;
  /** The text between this token and the next. */
  readonly blank: string;
}

/**
 * The tokens of a text as written; empty if no server can split it, or if servers split it
 * differently.
 */
function piecesOf(sql: string): readonly Piece[] {
  const server = { flavor: 'mysql', version: 80_000, digits: 5 } as const;
  const found = tokenize(sql, { ansiQuotes: false, backslash: 'escapes', server });
  if (found.kind === 'failure' || found.hasExecutableComment) return [];
  return found.tokens.map(({ start, end, kind }, index) => ({
    text: sql.slice(start, end),
    kind,
    blank: sql.slice(end, found.tokens[index + 1]?.start ?? end),
  }));
}

const flipped = (text: string, bits: number): string =>
  [...text].map((char, index) => ((bits >> (index % 30)) & 1 ? char.toUpperCase() : char.toLowerCase())).join('');

/** The same statement with other letters and blanks. */
function rewritten(pieces: readonly Piece[], bits: number, gaps: readonly (readonly [number, string])[]): string[] {
  const texts = pieces.map(piece =>
    piece.kind === 'word' && piece.text !== '\\N' ? flipped(piece.text, bits) : piece.text,
  );
  const blanks = pieces.map(piece => piece.blank);
  for (const [place, blank] of gaps) {
    const index = place % pieces.length;
    // An extra blank can go anywhere except into a.b, 'u'@'h', _utf8'x' and the like. The @ of a
    // variable is before its token.
    const [sign = ''] = /@*$/.exec(blanks[index] ?? '') ?? [];
    if (blanks[index] !== sign) blanks[index] = blank + sign;
    else if (sign === '' && isLoose(pieces[index], pieces[index + 1])) blanks[index] = blank;
  }
  return texts.map((text, index) => text + (index === texts.length - 1 ? '' : blanks[index]));
}

function isLoose(piece: Piece | undefined, next: Piece | undefined): boolean {
  if (piece === undefined || next === undefined) return false;
  return [piece, next].every(
    each => ['punctuation', 'word', 'number'].includes(each.kind) && !/[-.:*/]/.test(each.text),
  );
}

describe('mutations', () => {
  const gaps = fc.array(fc.tuple(fc.nat(60), gap), { maxLength: 6 });
  const bits = fc.nat(2 ** 30);

  test('a non-read never becomes a read', () => {
    const mutated = fc
      .record({
        original: fc.constantFrom(...nonReads.filter(sql => piecesOf(sql).length > 0)),
        gaps,
        bits,
        wrapped: fc.option(fc.tuple(fc.nat(60), fc.nat(8), executable), { freq: 3 }),
        before: fc.constantFrom('', ' ', '/* x */', '-- x\n', '\n'),
        after: fc.constantFrom('', ' ', '/* x */', ' -- x', ' # x'),
      })
      .map(({ original, gaps, bits, wrapped, before, after }) => {
        const parts = rewritten(piecesOf(original), bits, gaps);
        if (wrapped !== null) {
          const [first, length, [open, close]] = wrapped;
          const start = first % parts.length;
          const end = Math.min(parts.length - 1, start + length);
          parts[start] = open + parts[start];
          parts[end] += close;
        }
        return { sql: before + parts.join('') + after, original };
      });
    fc.assert(
      fc.property(mutated, ({ sql, original }) => {
        if (classify(sql).class !== 'read') return;
        throw new Error(`${JSON.stringify(original)} passed as a read: ${JSON.stringify(sql)}`);
      }),
      budget(0.5),
    );
  });

  test('a read stays one, with any blanks and letters', () => {
    const same = fc
      .record({ original: fc.constantFrom(...reads.filter(sql => piecesOf(sql).length > 0)), gaps, bits })
      // Under NO_BACKSLASH_ESCAPES 'it\'s; DELETE FROM t'/* ' */ has a second statement: a quote in
      // a comment may close another reading.
      .filter(({ original, gaps }) => !original.includes('\\') || gaps.every(([, text]) => !/['"`]/.test(text)))
      .map(({ original, gaps, bits }) => rewritten(piecesOf(original), bits, gaps).join(''));
    fc.assert(
      fc.property(same, sql => {
        const found = classify(sql);
        if (found.class !== 'read') throw new Error(`refused (${found.reason}): ${JSON.stringify(sql)}`);
      }),
      budget(0.25),
    );
  });

  test('any mix of tokens gets a class, and the next statement its own', () => {
    const word = fc.constantFrom(
      'SELECT',
      'FROM',
      't',
      'WHERE',
      'INTO',
      'OUTFILE',
      "'x'",
      '"y"',
      '`z`',
      '(',
      ')',
      '(',
      ')',
      ',',
      ';',
      '.',
      '=',
      '+',
      '/*!50000',
      '*/',
      '/*',
      '--',
      '\n',
      '#',
      '\\',
      "'",
      '"',
      '@a',
      ':=',
      'UPDATE',
      'DELETE',
      'WITH',
      'AS',
      'UNION',
      'CASE',
      'END',
      'BEGIN',
      'IF',
      '1',
      '1e5',
      '\u00e9',
      '\u00a0',
      'EXPLAIN',
      'ANALYZE',
      'SHOW',
      'CREATE',
      'PROCEDURE',
      'FOR',
      'VALUES',
      'ROW',
      'TABLE',
      'INTERVAL',
      'DAY',
      'OVER',
      'NOT',
      'IN',
      'LOAD_FILE',
      'GET_LOCK',
      '/*M!',
      '{',
      '}',
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(word, fc.constantFrom('', ' ')), { maxLength: 60 }), words => {
        expect(classify(words.flat().join('')).reason).not.toBe('');
        return classify('SELECT 1').class === 'read';
      }),
      budget(0.25),
    );
  });
});
