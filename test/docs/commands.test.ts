/**
 * The commands that the pages tell people to type work (pages.ts has the convention). Each page's
 * commands run in order against a real daemon in a home of their own, and print what the page
 * shows. not-run.ts lists those that can't run here, each with a reason; a program that neither
 * runs nor is listed fails. In the prose, each command of ours and each target exists.
 */

import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type RealHome, realHome } from '../shell-terminal/real-home.ts';
import { unknownIn } from './known-words.ts';
import { otherExitCodes, typedInto, unknownTargets, whyNotRun } from './not-run.ts';
import { type Block, commandsIn, pages, project, readPage } from './pages.ts';

/** What may run here; not-run.ts must list the rest. */
const programs = ['sallyport', 'build/bin/sallyport', 'echo', 'printf', 'cat'];
const otherLanguages = ['js', 'ts', 'json', 'sql', 'yaml', 'toml', 'swift', 'text'];

describe.each(pages)('%s', page => {
  const { blocks, prose } = readPage(page);
  let home: RealHome;
  beforeAll(() => {
    home = realHome();
    for (const name of ['build', 'test']) symlinkSync(join(project, name), join(home.folder, 'work', name));
  });
  afterAll(() => home.clean());

  test('each fence names a language', () => {
    const known = ['sh', 'console', 'indented', ...otherLanguages];
    expect(blocks.filter(({ language }) => !known.includes(language))).toEqual([]);
  });

  test('each command runs, in order, and prints what is shown', async () => {
    for (const { block, text, output } of commandsOf(blocks)) {
      const at = `${page}:${block.line}: ${text}`;
      if (whyNotRun(text) !== null) {
        if (text.startsWith('sallyport ')) expect([at, await unknownIn(text)]).toEqual([at, null]);
        continue;
      }
      expect([at, programsIn(text).filter(program => !programs.includes(program))]).toEqual([at, []]);
      const ran = await run(home, text);
      const isRight = [0, ...otherExitCodes(text)].includes(ran.code ?? -1);
      expect(isRight ? null : { at, ...ran }).toBeNull();
      if (output !== null) expect(`${at}\n${plain(ran.shown)}`).toMatch(patternOf(`${at}\n`, output));
    }
  }, 120_000);

  test('each target of make exists', () => {
    const named = [...commandsOf(blocks).map(({ text }) => text), ...codeIn(prose)].filter(text =>
      /^make [a-z]/.test(text),
    );
    expect(named.flatMap(unknownTargets)).toEqual([]);
  });

  test('each command named in the prose exists, with its options', async () => {
    const named = codeIn(prose).filter(text => /^(?:build\/bin\/)?sallyport [a-zA-Z-]/.test(text));
    expect((await Promise.all(named.map(unknownIn))).filter(problem => problem !== null)).toEqual([]);
  }, 60_000);
});

function commandsOf(blocks: readonly Block[]) {
  return blocks.flatMap(block => commandsIn(block).map(command => ({ block, ...command })));
}

function codeIn(prose: string): readonly string[] {
  return [...prose.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code.replace(/\s+/g, ' '));
}

/** The first word of each part of a pipe or list. */
function programsIn(command: string): readonly string[] {
  return command
    .replace(/'[^']*'|"[^"]*"/g, "''")
    .split(/\||&&?|;|\$\(|`/)
    .map(part => part.trim().split(/\s+/)[0] ?? '');
}

async function run(home: RealHome, text: string): Promise<{ readonly code: number | null; readonly shown: string }> {
  const child = home.spawnProgram('/bin/sh', ['-c', `PATH="$PWD/build/bin:$PATH"; { ${text}\n} 2>&1`]);
  let shown = '';
  child.stdout?.setEncoding('utf8').on('data', chunk => {
    shown += chunk;
  });
  child.stdin?.on('error', () => {});
  child.stdin?.end(typedInto(text));
  const code = await new Promise<number | null>(resolve => child.once('close', resolve));
  return { code, shown };
}

function plain(text: string): string {
  return text.replace(/[^\S\n]+/g, ' ').trimEnd();
}

function patternOf(start: string, output: readonly string[]): RegExp {
  const lines = plain(output.join('\n')).split('\n');
  const patterns = lines.map(line => (line === '…' ? '(?:.|\\n)*' : line.split('…').map(quoted).join('.*')));
  return new RegExp(`^${quoted(start)}${patterns.join('\\n')}$`);
}

function quoted(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
