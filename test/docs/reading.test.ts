/**
 * docs/reading.md leads to what is there: each stop's file declares each of its names, and all of
 * them are as many lines as it says.
 */

import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { expect, test } from '@jest/globals';
import { project, textOf } from './pages.ts';

const page = 'docs/reading.md';
const mostLines = 3_000;
/** The page says its lines in hundreds, so that a line more in the code is seldom one here. */
const step = 100;

interface Stop {
  readonly file: string;
  readonly name: string;
}

const links = /\[((?:`\w+`(?:, )?)+)\]\(([^)]+)\)/g;

/** @returns what each question of a list leads to. */
function stopsOf(text: string): readonly (readonly Stop[])[] {
  const questions = text.split(/\n(?=- )/).filter(item => item.startsWith('- '));
  return questions.map(question =>
    [...question.matchAll(links)].flatMap(([, names = '', file = '']) =>
      [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => ({ file: posix.join('docs', file), name })),
    ),
  );
}

/**
 * By the layout that the formatter gives: a declaration ends with the line at its own depth that
 * closes it.
 * @returns the numbers of its lines, those of the comment above it included, from 0; null where
 * there is none.
 */
function declared(lines: readonly string[], name: string): readonly number[] | null {
  const forms = [
    `(?:export )?(?:async )?(?:function|class|interface|type|const) ${name}\\b`,
    `(?:private )?(?:async )?${name}\\((?:.*\\{)?$`,
  ];
  const at = forms.map(form => lines.findIndex(line => new RegExp(`^ *${form}`).test(line))).find(index => index >= 0);
  if (at === undefined) return null;
  const declaration = lines[at] ?? '';
  const depth = declaration.search(/\S/);
  let first = at;
  while (/^ *(?:\/\*\*|\*|\/\/)/.test(lines[first - 1] ?? '')) first -= 1;
  const closes = (line: string) => line.search(/\S/) === depth && /^ *[)}\]]/.test(line) && !/[({[]$/.test(line);
  const end = lines.findIndex((line, index) => index > at && closes(line));
  const last = /[({[]$/.test(declaration) ? end : at;
  return last < 0 ? null : Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/**
 * @returns what is wrong, and how many lines there are to read.
 * @param read null for a file that isn't there.
 */
function checked(text: string, read: (file: string) => string | null): { problems: string[]; lines: number } {
  const problems: string[] = [];
  const toRead = new Set<string>();
  for (const stops of stopsOf(text)) {
    if (stops.length === 0) problems.push('a question leads nowhere');
    for (const { file, name } of stops) {
      const source = read(file);
      const found = source === null ? null : declared(source.split('\n'), name);
      if (source === null) problems.push(`${file} is not there`);
      else if (found === null) problems.push(`${file} declares no ${name}`);
      else for (const line of found) toRead.add(`${file}:${line}`);
    }
  }
  const said = Number(/at most \*\*([\d,]+) lines\*\*/.exec(text)?.[1]?.replace(',', ''));
  const right = Math.ceil(toRead.size / step) * step;
  if (said !== right) problems.push(`it says ${said} lines, and ${toRead.size} are at most ${right}`);
  if (right > mostLines) problems.push(`${toRead.size} lines are more than ${mostLines}`);
  return { problems, lines: toRead.size };
}

test('each stop of docs/reading.md is there, and they are as many lines as it says', () => {
  const read = (file: string) => (existsSync(join(project, file)) ? readFileSync(join(project, file), 'utf8') : null);
  const { problems, lines } = checked(textOf(page), read);
  expect(problems).toEqual([]);
  expect(lines).toBeGreaterThan(1_000);
});

const source = `/** Says a. */
export function a(one: number): number {
  return b(one);
}

const b = (two: number) => two;
class C {
  private async inner(
    three: number,
  ): Promise<void> {
    await a(three);
  }
}
`;

test.each([
  ['- x? [`a`](../x.ts)', ['it says 100 lines, and 4 are at most 100'].slice(1), 4],
  ['- x? [`a`, `b`](../x.ts)', [], 5],
  ['- x? [`inner`](../x.ts)', [], 5],
  ['- x? [`C`](../x.ts), [`inner`](../x.ts)', [], 7],
  ['- x? [`one`](../x.ts)', ['x.ts declares no one', 'it says 100 lines, and 0 are at most 0'], 0],
  ['- x? [`a`](../y.ts)', ['y.ts is not there', 'it says 100 lines, and 0 are at most 0'], 0],
  ['- x? nowhere', ['a question leads nowhere', 'it says 100 lines, and 0 are at most 0'], 0],
])('%s', (row, problems, lines) => {
  const read = (file: string) => (file === 'x.ts' ? source : null);
  expect(checked(`at most **100 lines**\n${row}`, read)).toEqual({ problems, lines });
});

test('more than can be read in half an hour is told', () => {
  const long = `function a() {\n${'  b();\n'.repeat(mostLines)}}`;
  const { problems } = checked('at most **3,100 lines**\n- x? [`a`](../x.ts)', () => long);
  expect(problems).toEqual(['3002 lines are more than 3000']);
});
