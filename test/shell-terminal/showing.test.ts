/**
 * What people see: aligned columns, cut at the terminal's edge, colours only if wanted, nothing
 * that deceives.
 */

import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { pairs, table } from '../../shell-terminal/table.ts';
import { printNotes, remark, styled, type Terminal, wrapped } from '../../shell-terminal/terminal.ts';

interface Watched {
  readonly terminal: Terminal;
  stdout(): string;
  stderr(): string;
}

/** @param columns null for a pipe. */
function watched(columns: number | null, environment: Terminal['environment'] = {}): Watched {
  const streams = { stdout: new PassThrough(), stderr: new PassThrough() };
  const tty = columns === null ? {} : { isTTY: true, columns };
  const terminal = {
    script: '',
    environment,
    cwd: '/',
    userHome: '/',
    stdin: process.stdin,
    stdout: Object.assign(streams.stdout, tty) as unknown as NodeJS.WriteStream,
    stderr: Object.assign(streams.stderr, tty) as unknown as NodeJS.WriteStream,
  };
  const textOf = (stream: PassThrough) => String(stream.read() ?? '');
  return { terminal, stdout: () => textOf(streams.stdout), stderr: () => textOf(streams.stderr) };
}

const columns = {
  NAME: ([name]: readonly string[]) => name ?? '',
  WHERE: ([, where]: readonly string[]) => where ?? '',
  AI: ([, , ai]: readonly string[]) => ai ?? '',
};
/** The second column gets shorter. */
const rowsShown = (terminal: Terminal, rows: readonly string[][]) => table(terminal, rows, columns, 'WHERE');
const plain = (lines: readonly string[]) => lines.map(line => stripVTControlCharacters(line));

describe('a table', () => {
  test('aligns, counting wide characters and marks at their displayed width', () => {
    const rows = [
      ['数据库', 'a', 'ask'],
      ['Ge\u0301ant', 'bb', 'never'],
      ['🦊', 'c', ''],
    ];
    expect(rowsShown(watched(null).terminal, rows)).toEqual([
      'NAME    WHERE  AI',
      '数据库  a      ask',
      'Ge\u0301ant   bb     never',
      '🦊      c',
    ]);
  });

  test('a word longer than the terminal stays whole, in a block; in a pipe all are in columns', () => {
    const rows = [
      ['Shop', 'x'.repeat(200), 'always'],
      ['数据', '数'.repeat(60), 'always'],
    ];
    for (const width of [40, 80, 120]) {
      expect(plain(rowsShown(watched(width).terminal, rows))).toEqual([
        ...['Shop', `  where  ${'x'.repeat(200)}`, '  ai     always'],
        ...['数据', `  where  ${'数'.repeat(60)}`, '  ai     always'],
      ]);
    }
    expect(rowsShown(watched(null).terminal, rows)[1]).toBe(`Shop  ${'x'.repeat(200)}${''}  always`);
  });

  test('shows others’ text without letting it act', () => {
    const [, row] = rowsShown(watched(null).terminal, [['\u001b[2Jx', 'a\nb', '\u202eb']]);
    expect(row).toBe('\\u{1b}[2Jx  a\\u{a}b  \\u{202e}b');
    expect(
      pairs(watched(null).terminal, [
        ['a', '\u0007'],
        ['b', null],
      ]),
    ).toEqual(['  a  \\u{7}']);
  });
});

describe('colour', () => {
  test('only on a terminal, and not with NO_COLOR', () => {
    expect(styled(watched(80).terminal, 'red', 'x')).toBe('\u001b[31mx\u001b[39m');
    expect(styled(watched(80, { NO_COLOR: '' }).terminal, 'red', 'x')).toContain('\u001b');
    expect(styled(watched(80, { NO_COLOR: '1' }).terminal, 'red', 'x')).toBe('x');
    expect(styled(watched(null).terminal, 'red', 'x')).toBe('x');
  });
});

describe('sentences', () => {
  const sentence = 'one two three four five six seven eight nine ten';
  test('break between words on a terminal, not in a pipe', () => {
    expect(wrapped(sentence, 20, '')).toEqual(['one two three four', 'five six seven eight', 'nine ten']);
    expect(wrapped('x'.repeat(30), 20, '')).toEqual(['x'.repeat(30)]);
    const pipe = watched(null);
    remark(pipe.terminal, sentence);
    expect(pipe.stderr()).toBe(`${sentence}\n`);
    const narrow = watched(24);
    printNotes(narrow.terminal, [sentence]);
    expect(plain(narrow.stdout().split('\n'))).toEqual([
      '  ! one two three four',
      '    five six seven eight',
      '    nine ten',
      '',
    ]);
  });

  test('can’t be made to lie by what they quote', () => {
    const pipe = watched(null);
    remark(pipe.terminal, 'Shop\u001b]0;x\u0007\nsallyport: all is well');
    expect(pipe.stderr()).toBe('Shop\\u{1b}]0;x\\u{7}\\u{a}sallyport: all is well\n');
  });
});
