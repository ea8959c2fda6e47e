/**
 * What an agent is told about databases: short, the same everywhere, without a way to more access;
 * and that it comes into no file of others'.
 */

import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { commands } from '../../shell-terminal/commands.ts';
import { skillFile, withoutSection, withSection } from '../../shell-terminal/skill/text.ts';
import { project } from '../docs/pages.ts';
import { realHome } from './real-home.ts';

const home = realHome();
beforeAll(() => {
  mkdirSync(join(home.folder, 'work'), { recursive: true });
});
afterAll(() => home.clean());
const inHome = (...names: string[]): string => join(home.folder, ...names);

test('it has some 300 words, and names no way to get more', () => {
  const words = skillFile.split(/\s+/).length;
  expect(words).toBeGreaterThan(250);
  expect(words).toBeLessThan(350);
  expect(skillFile).not.toMatch(
    /passphrase|sallyport allow|external-clients|read-write|full.access|scope|token|settings set/i,
  );
  const named = [...skillFile.matchAll(/`sallyport ([a-z]+(?: [a-z]+)?)/g)].map(([, called = '']) => called);
  expect(named).toEqual(['connections list', 'query']);
  for (const called of named) expect(commands.map(({ words }) => words)).toContain(called);
});

test('the plugin of Claude Code has the same text', () => {
  const plugin = join(project, 'docs/claude-code/sallyport');
  expect(readFileSync(join(plugin, 'skills/sallyport/SKILL.md'), 'utf8')).toBe(skillFile);
  const { version } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
  expect(JSON.parse(readFileSync(join(plugin, '.claude-plugin/plugin.json'), 'utf8'))).toMatchObject({ version });
});

test.each([
  ['claude', '.claude/skills', '.claude/skills'],
  ['codex', '.agents/skills', '.agents/skills'],
  ['gemini', '.gemini/skills', '.gemini/skills'],
  ['opencode', '.config/opencode/skills', '.opencode/skills'],
])(
  'connect %s --skill writes it where that client looks, and --remove takes it away',
  async (client, users, projects) => {
    for (const [file, more] of [
      [inHome(users, 'sallyport/SKILL.md'), []],
      [inHome('work', projects, 'sallyport/SKILL.md'), ['--project']],
    ] as const) {
      expect(await home.json(['connect', client, '--skill', ...more])).toMatchObject({ file, change: 'added' });
      expect(readFileSync(file, 'utf8')).toBe(skillFile);
      writeFileSync(file, skillFile.replace('Databases on', 'Data on'));
      expect(await home.json(['connect', client, '--skill', ...more])).toMatchObject({ change: 'changed' });
      expect(await home.json(['connect', client, '--skill', ...more])).toMatchObject({ change: 'none' });
      expect(await home.json(['connect', client, '--skill', '--remove', ...more])).toMatchObject({ change: 'removed' });
      expect(existsSync(file)).toBe(false);
    }
  },
);

test('others get a section in AGENTS.md, and it is taken out byte for byte', async () => {
  const file = inHome('work', 'AGENTS.md');
  expect(await home.here(['connect', 'cursor', '--skill'])).toMatchObject({ code: 2 });
  for (const text of ['# Rules\n\nBe kind.\n', 'a', '', 'one\r\ntwo\r\n']) {
    writeFileSync(file, text);
    expect(await home.json(['connect', 'cursor', '--skill', '--project'])).toMatchObject({ file, change: 'added' });
    expect(readFileSync(file, 'utf8')).toContain('propose_changes');
    expect((await home.here(['connect', 'cursor', '--skill', '--project', '--remove'])).code).toBe(0);
    if (text === '') expect(existsSync(file)).toBe(false);
    else expect(readFileSync(file, 'utf8')).toBe(text === 'a' ? 'a\n' : text);
  }
  const around = `before\n\n${withSection('')}after\n`;
  expect(withSection(around)).toBe(around);
  expect(withoutSection(around)).toBe('before\n\nafter\n');
});

test('a file of somebody else, and a link out of the project, stay as they are', async () => {
  const own = inHome('.gemini/skills/sallyport/SKILL.md');
  mkdirSync(inHome('.gemini/skills/sallyport'), { recursive: true });
  writeFileSync(own, '---\nname: sallyport\n---\n# Mine\n');
  for (const more of [[], ['--remove']]) {
    expect(await home.here(['connect', 'gemini', '--skill', ...more])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("is not Sallyport's"),
    });
  }
  expect(readFileSync(own, 'utf8')).toContain('# Mine');
  const outside = inHome('.profile');
  writeFileSync(outside, 'x\n');
  rmSync(inHome('work', 'AGENTS.md'), { force: true });
  symlinkSync(outside, inHome('work', 'AGENTS.md'));
  expect(await home.here(['connect', 'cursor', '--skill', '--project'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('leads out of this folder'),
  });
  expect(readFileSync(outside, 'utf8')).toBe('x\n');
});
