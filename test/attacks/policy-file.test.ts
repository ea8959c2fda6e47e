/**
 * A policy file that isn't what it seems: YAML that a parser reads otherwise than a person, files
 * that others may write, and passwords (spec §6). Nothing of it reaches the daemon.
 */

import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readPolicyFile } from '../../shell-terminal/policy/read.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sallyport-policy-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const write = (content: string | Buffer): void => {
  rmSync(join(folder, 'p.yaml'), { force: true });
  writeFileSync(join(folder, 'p.yaml'), content, { mode: 0o644 });
};
const read = () => readPolicyFile('p.yaml', folder);
const refused = async (content?: string | Buffer): Promise<string> => {
  if (content !== undefined) write(content);
  return read().then(
    ({ policy }) => `read as ${policy}`,
    (error: Error) => error.message,
  );
};

test('what it plainly says is read, and each part has its line', async () => {
  write(
    '# ours\nconnections:\n  - name: "*-live" # all\n    hide: [audit.*,\n      "*_secret"]\nsettings:\n  history.days: 30\n',
  );
  const { policy, lineOf, file } = await read();
  expect(JSON.parse(policy)).toEqual({
    connections: [{ name: '*-live', hide: ['audit.*', '*_secret'] }],
    settings: { 'history.days': 30 },
  });
  const lines = ['connections.0.name', 'connections.0.hide.1', 'connections.0.hide.9', 'settings.history.days', 'else'];
  expect(lines.map(lineOf)).toEqual([3, 5, 4, 7, 1]);
  expect(file.path).toBe(join(folder, 'p.yaml'));
  expect(file.digest).toMatch(/^[0-9a-f]{64}$/);
});

const place = 'p.yaml, line 2, column ';
const anchors =
  'anchors (&) and references (*) are not taken: write it out, and put a name or pattern that begins with * in quotes.';
const directives = 'a directive (%) has no meaning here; take it out.';
const wrong: readonly (readonly [what: string, text: string, sentence: string])[] = [
  ['a pattern without quotes', 'connections:\n  - name: *-live\n', `${place}11: ${anchors}`],
  ['an anchor', 'connections:\n  - &a {name: Shop}\n', `${place}8: ${anchors}`],
  ['an anchored text', 'a:\n  b: &x Shop\n', `${place}9: ${anchors}`],
  ['a merge', 'a: {b: 1}\nb: {<<: *a}\n', `${place}9: ${anchors}`],
  ['a key twice', 'a: 1\na: 2\n', `${place}1: a key stands here twice.`],
  ['a key twice, in braces', 'a: {b: 1,\n    b: 2}\n', `${place}5: a key stands here twice.`],
  ['a key twice, once quoted', 'a: 1\n"a": 2\n', `${place}1: a key stands here twice.`],
  ['a tag', 'a:\n  - !!binary aGk=\n', `${place}14: a tag (!) has no meaning here; take it out.`],
  ['a tag of a library', 'a:\n  - !!js/function "x"\n', `${place}5: a tag (!) has no meaning here; take it out.`],
  ['a tab', 'a:\n\t- b\n', `${place}1: a tab stands where spaces belong.`],
  ['a version by which 0777 is 511', '# ours\n%YAML 1.1\n---\na: 0777\n', `${place}1: ${directives}`],
  ['this version too', '# ours\n%YAML 1.2\n---\na: 1\n', `${place}1: ${directives}`],
  ['what a tag would mean', '\n%TAG !! tag:example.org,2000:\n---\na: 1\n', `${place}1: ${directives}`],
  ['a directive of nobody', '\n%FOO bar\n---\na: 1\n', `${place}1: ${directives}`],
  ['a second document', 'a: 1\n---\nb: 2\n', `${place}1: a second document (---) begins here; a policy file has one.`],
  ['a key that is a list', 'a: 1\n[b]: 2\n', `${place}1: a key is a word.`],
  ['a key that is a number', 'a: 1\n5: 2\n', `${place}1: a key is a word.`],
  ['no number', 'a:\n  - .nan\n', `${place}5: a text, a number, true or false is expected.`],
  ['an open bracket', 'a: 1\nb: [c\n', "p.yaml, line 3, column 1: it isn't YAML from here (bad indent)."],
];

describe('refused, with line and column, is', () => {
  test.each(wrong)('%s', async (_, text, sentence) => {
    expect(await refused(text)).toBe(sentence);
  });
});

test('a bomb of references costs nothing', async () => {
  const level = (name: string, of: string) => `${name}: &${name} [${Array(9).fill(`*${of}`).join(', ')}]\n`;
  const names = [...'bcdefghij'];
  const bomb = `a: &a [x]\n${names.map((name, at) => level(name, at === 0 ? 'a' : (names[at - 1] ?? ''))).join('')}`;
  expect(await refused(bomb)).toBe(`p.yaml, line 1, column 7: ${anchors}`);
});

test('depth, size and other bytes are refused in a moment', async () => {
  const deep = await refused(`a: ${'['.repeat(60_000)}`);
  expect(deep).toMatch(/^p\.yaml, line \d+, column \d+: it (?:is nested too deeply|isn't YAML from here \(.+\))\.$/);
  expect(await refused(`a: "${'x'.repeat(262_144)}"`)).toBe('p.yaml is larger than 256 KiB, so it is no policy file.');
  expect(await refused(`a: "${'\\0'.repeat(100_000)}"`)).toBe(
    'p.yaml is larger than 256 KiB, so it is no policy file.',
  );
  expect(await refused(Buffer.from([0x61, 0x3a, 0x20, 0xff]))).toBe('p.yaml is not UTF-8 text.');
}, 30_000);

test('the keys of a large file are told apart in a moment', async () => {
  const keys = Array.from({ length: 24_000 }, (_, at) => `k${at}: 1\n`).join('');
  write(keys);
  const before = process.cpuUsage();
  await read();
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1_000).toBeLessThan(3_000);
  expect(await refused(`${keys}k0: 2\n`)).toBe('p.yaml, line 24001, column 1: a key stands here twice.');
}, 60_000);

test('a member of that name is a member, and changes no object', async () => {
  write('__proto__:\n  polluted: true\nconstructor: 1\n');
  expect((await read()).policy).toBe('{"__proto__":{"polluted":true},"constructor":1}');
  expect(({} as Record<string, unknown>).polluted).toBe(undefined);
});

test('a password in a URL is refused by its line, in a comment too, and never repeated', async () => {
  for (const text of [
    'a: postgres://me:hunter2@db/x',
    '# was postgres://me:hunter2@db/x',
    'a: "mysql://:hunter2@db"',
  ]) {
    const sentence = await refused(`x: 1\n${text}\n`);
    expect(sentence).toMatch(/^p\.yaml, line 2: a URL with a password; /);
    expect(sentence).not.toContain('hunter2');
  }
});

describe('a file', () => {
  test('that others may write is refused, with what to type', async () => {
    write('a: 1\n');
    for (const mode of [0o664, 0o646, 0o666]) {
      chmodSync(join(folder, 'p.yaml'), mode);
      expect(await refused()).toBe('p.yaml can be written by others; read what it says, then `chmod go-w p.yaml`.');
    }
  });

  test('that is a folder, a pipe or nowhere is refused, and a pipe is waited for by nobody', async () => {
    rmSync(join(folder, 'p.yaml'), { force: true });
    expect(await refused()).toBe("p.yaml can't be read (ENOENT).");
    execFileSync('mkfifo', ['-m', '600', join(folder, 'p.yaml')]);
    expect(await refused()).toBe('p.yaml is not a regular file.');
    rmSync(join(folder, 'p.yaml'));
    mkdirSync(join(folder, 'p.yaml'));
    expect(await refused()).toBe('p.yaml is not a regular file.');
    rmSync(join(folder, 'p.yaml'), { recursive: true });
  });

  test('behind a link is remembered by its own place', async () => {
    writeFileSync(join(folder, 'real.yaml'), 'a: 1\n', { mode: 0o644 });
    rmSync(join(folder, 'p.yaml'), { force: true });
    symlinkSync('real.yaml', join(folder, 'p.yaml'));
    expect((await read()).file.path).toBe(join(folder, 'real.yaml'));
    chmodSync(join(folder, 'real.yaml'), 0o666);
    expect(await refused()).toContain('can be written by others');
  });
});
