/**
 * Threat: a client reads Sallyport's passwords or forges its policy through an SQLite connection to
 * one of Sallyport's own files, by any name, link or later swap. It goes through the built daemon
 * and bridge; test/storage tests the rule itself.
 */

import { execFileSync, spawnSync } from 'node:child_process';
import { linkSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type JsonLine, modern } from '../bridge/bridge-process.ts';
import { RealHome } from '../bridge/real-home.ts';
import { needs } from '../needs.ts';
import { runHere } from '../shell-terminal/in-process.ts';
import { executeOn } from '../sqlite-file.ts';

let home: RealHome;
let asked = 0;
beforeAll(() => {
  home = new RealHome();
  home.sallyport('start');
});
afterAll(() => home.clean());

const add = (path: string, name: string) =>
  runHere(['connections', 'add', path, '--name', name], { environment: home.environment, cwd: home.folder });

async function query(connection: string): Promise<JsonLine> {
  const sql = 'select * from sqlite_schema';
  asked += 1;
  return home.bridge().ask(modern(asked, 'tools/call', { name: 'execute_query', arguments: { connection, sql } }));
}

async function harmless(name: string): Promise<string> {
  const file = join(home.folder, `${name}.db`);
  executeOn(file, 'create table harmless (a)');
  expect((await add(file, name)).code).toBe(0);
  expect(JSON.stringify((await query(name)).result)).toContain('harmless');
  return file;
}

test('no connection can be made to a file of the home, by any name', async () => {
  const files = readdirSync(home.home, { recursive: true, withFileTypes: true }).filter(entry => !entry.isDirectory());
  const paths = files.map(entry => join(entry.parentPath, entry.name));
  expect(paths.map(path => path.slice(home.home.length))).toEqual(
    expect.arrayContaining(['/sallyport.db', '/secrets.json', '/daemon.lock', '/mcp-handshake.json']),
  );
  symlinkSync(home.home, join(home.folder, 'linked-home'));
  symlinkSync(join(home.home, 'sallyport.db'), join(home.folder, 'linked.db'));
  const dressed = [
    join(home.folder, 'linked.db'),
    join(home.folder, 'linked-home', 'sallyport.db'),
    `sqlite:${home.home}/./sallyport.db`,
    `sqlite:${home.home}/%73allyport.db`,
    `sqlite://${home.home}/sallyport.db`,
    `sqlite:${home.home}//sallyport.db`,
    `${home.folder}/x/../home/sallyport.db`,
    join(home.home, 'not-there-yet.db'),
  ];
  for (const [index, path] of [...paths, ...dressed].entries()) {
    const { code, stderr } = await add(path, `Own ${index}`);
    expect([path, code]).toEqual([path, 1]);
    expect(stderr).toContain("one of Sallyport's own files");
  }
});

test.each<[string, (file: string) => void]>([
  ['a symbolic link to the store', file => symlinkSync(join(home.home, 'sallyport.db'), file)],
  ['a hard link to the store', file => linkSync(join(home.home, 'sallyport.db'), file)],
  ['a hard link to the secrets', file => linkSync(join(home.home, 'secrets.json'), file)],
])('a saved file swapped for %s isn’t opened', async (what, swap) => {
  const name = what.replaceAll(' ', '-');
  const file = await harmless(name);
  rmSync(file);
  swap(file);
  const { result } = await query(name);
  expect(result?.isError).toBe(true);
  // Each change replaces the secrets file as a whole: a hard link may point to a former file, which
  // is no database.
  const refusals =
    what === 'a hard link to the secrets' ? /own files|not an SQLite database/ : /one of Sallyport's own files/;
  expect(JSON.stringify(result)).toMatch(refusals);
  expect(JSON.stringify(result)).not.toContain('connections');
  // Nor does it keep its person from taking access.
  const blocked = ['connections', 'set', name, '--external-clients', 'blocked'];
  expect(await runHere(blocked, { environment: home.environment, cwd: home.folder })).toMatchObject({ code: 0 });
});

test('a saved file whose folder is swapped for a link to the home isn’t opened', async () => {
  const folder = join(home.folder, 'swapped');
  mkdirSync(folder);
  const file = join(folder, 'sallyport.db');
  executeOn(file, 'create table harmless (a)');
  expect((await add(file, 'Swapped')).code).toBe(0);
  expect(JSON.stringify((await query('Swapped')).result)).toContain('harmless');
  renameSync(folder, `${folder}-away`);
  symlinkSync(home.home, folder);
  const { result } = await query('Swapped');
  expect(result?.isError).toBe(true);
  expect(JSON.stringify(result)).toContain("one of Sallyport's own files");
});

const mayMount = spawnSync('unshare', ['--mount', 'true']).status === 0;
needs(mayMount ? null : 'mount namespaces').test(
  'a mount of the home, or of its store, elsewhere isn’t opened',
  async () => {
    const folder = join(home.folder, 'mounted');
    mkdirSync(folder);
    const file = await harmless('mounted-over');
    const mounted: string[] = [];
    const mount = (from: string, to: string): void => {
      execFileSync('mount', ['--bind', from, to]);
      mounted.push(to);
    };
    try {
      mount(home.home, folder);
      mount(join(home.home, 'sallyport.db'), file);
      const { code, stderr } = await add(join(folder, 'sallyport.db'), 'In a mounted folder');
      expect([code, stderr]).toEqual([1, expect.stringContaining("one of Sallyport's own files")]);
      const { result } = await query('mounted-over');
      expect(result?.isError).toBe(true);
      expect(JSON.stringify(result)).toContain("one of Sallyport's own files");
    } finally {
      for (const path of mounted.toReversed()) execFileSync('umount', ['--lazy', path]);
    }
  },
);
