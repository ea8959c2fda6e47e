/**
 * The built `sallyport doctor` on a healthy home, without a daemon, and with one fault after
 * another.
 */

import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { nativeModules } from '../../../shell-terminal/doctor/native-modules.ts';
import { executable, type RealHome, realHome } from '../../shell-terminal/real-home.ts';
import { until } from '../../waiting/until.ts';

interface Finding {
  readonly name: string;
  readonly ok: boolean;
  readonly says: string;
  readonly remedy: string | null;
}

let home: RealHome;
beforeEach(() => {
  home = realHome();
});
afterEach(() => home.clean());

const bridge = join(dirname(executable), 'sallyport-mcp');
const project = join(import.meta.dirname, '../../..');

async function examine(): Promise<{ code: number | null; ok: boolean; checks: Finding[]; problems: string[] }> {
  const { code, stdout } = await home.run(['doctor', '--json']);
  const { ok, checks }: { ok: boolean; checks: Finding[] } = JSON.parse(stdout);
  expect(code).toBe(ok ? 0 : 1);
  for (const check of checks) expect([check.name, check.remedy === null]).toEqual([check.name, check.ok]);
  // Another program may have the default port.
  const problems = checks.filter(check => !check.ok && check.name !== 'port').map(({ name }) => name);
  return { code, ok, checks, problems };
}

function clientFile(path: string, text: string): void {
  const file = join(home.folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function withVersion(store: Buffer, version: number): Buffer {
  const other = Buffer.from(store);
  other.writeUInt32BE(version, 60);
  return other;
}

const entry = (command: string, under = 'mcpServers') => JSON.stringify({ [under]: { sallyport: { command } } });

test('before the first start nothing is wrong, and nothing is made', async () => {
  home = realHome(0, 'owner');
  const { problems, checks } = await examine();
  expect(problems).toEqual([]);
  expect(checks.find(({ name }) => name === 'home')?.says).toContain('does not exist yet');
  expect((await home.run(['doctor', '--all'])).stdout).toMatch(/^ok {7}versions/m);
  expect((await home.run(['doctor'])).stdout).toMatch(/^\d+ checks are fine; `sallyport doctor --all` lists them\.$/m);
  expect(checks.find(({ name }) => name === 'port')?.says).toMatch(
    /^The setting is known once Sallyport runs; the default, /,
  );
  expect(() => readFileSync(home.home)).toThrow(/ENOENT/);
});

describe('with a daemon', () => {
  beforeEach(async () => {
    expect((await home.run(['start'])).code).toBe(0);
  });

  test('a healthy home has no problem, and each part of it is named', async () => {
    const { problems, checks } = await examine();
    expect(problems).toEqual([]);
    expect(checks.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'versions',
        'install',
        'home',
        'files',
        'store',
        'secrets',
        'activity',
        'daemon',
        'handshake',
        'trust',
        'port',
        'passphrase',
      ]),
    );
    const shown = await home.run(['doctor', '--all']);
    expect(shown.stdout.trim().split('\n')).toHaveLength(checks.length);
    const handshake = JSON.parse(readFileSync(join(home.home, 'mcp-handshake.json'), 'utf8'));
    expect(shown.stdout).not.toContain(handshake.token);
    expect(checks.find(({ name }) => name === 'lock')?.says).toBe(`Held by process ${handshake.pid}, the daemon.`);
  }, 60_000);

  test('a role with more rights than it needs is advice, and no problem', async () => {
    const add = ['connections', 'add', 'postgres://postgres@h/d', '--name', 'S', '--password-command', 'true'];
    expect((await home.here(add)).code).toBe(0);
    expect((await home.here(['doctor'])).stdout).toMatch(/^advice {3}role +\S/m);
    expect((await examine()).checks).toContainEqual({
      name: 'role',
      ok: true,
      says: expect.any(String),
      remedy: null,
      advice: true,
    });
  }, 30_000);

  test('more connections than the daemon tests at once', async () => {
    const numbers = Array.from({ length: 40 }, (_, number) => number);
    for (const number of numbers) {
      const add = ['connections', 'add', `postgres://clerk@127.0.0.1:1/d${number}`, '--name', `n${number}`];
      expect((await home.here(add)).code).toBe(0);
    }
    const { stdout, stderr } = await home.run(['connections', 'test', '--json']);
    expect({ stderr, names: JSON.parse(stdout).map(({ name }: { name: string }) => name) }).toEqual({
      stderr: "sallyport: 40 of 40 can't be reached.\n",
      names: numbers.map(number => `n${number}`).toSorted(),
    });
    const { problems, checks } = await examine();
    expect(problems).toEqual(numbers.map(() => 'database'));
    expect(checks.find(({ name }) => name === 'daemon')).toMatchObject({ ok: true });
  }, 60_000);

  test('a home and files that others can read', async () => {
    chmodSync(home.home, 0o755);
    chmodSync(join(home.home, 'sallyport.db'), 0o644);
    const { problems, checks } = await examine();
    expect(problems).toEqual(['home', 'files']);
    expect(checks.find(({ name }) => name === 'files')).toMatchObject({
      says: expect.stringContaining('sallyport.db has mode 644, not 600'),
      remedy: expect.stringMatching(/^chmod 600 .*sallyport\.db$/),
    });
    const shown = await home.run(['doctor']);
    expect(shown).toMatchObject({ code: 1, stderr: expect.stringContaining('problems were found') });
    expect(shown.stdout).toContain('chmod 700');
  }, 60_000);

  test('a handshake that was forged, opened or removed', async () => {
    const path = join(home.home, 'mcp-handshake.json');
    const kept = readFileSync(path, 'utf8');
    writeFileSync(path, JSON.stringify({ ...JSON.parse(kept), token: `sp_${'x'.repeat(43)}` }));
    expect((await examine()).problems).toEqual(['trust']);
    writeFileSync(path, kept);
    chmodSync(path, 0o644);
    expect((await examine()).problems).toEqual(['files', 'handshake']);
    // The daemon writes it again when asked to identify itself.
    rmSync(path);
    expect((await examine()).problems).toEqual([]);
    expect(existsSync(path)).toBe(true);
  }, 60_000);

  test('an unreadable record of the secrets, and a secret that isn’t this daemon’s', async () => {
    const record = join(home.home, 'store.json');
    const kept = readFileSync(record, 'utf8');
    writeFileSync(record, '{}');
    // What it asks of the daemon needs no secret.
    expect((await examine()).problems).toEqual(['secrets']);
    writeFileSync(record, kept);
    const secrets = join(home.home, 'secrets.json');
    // The daemon may be about to replace it with what it read earlier.
    await until(async () => {
      const content = JSON.parse(readFileSync(secrets, 'utf8'));
      content.secrets['shell/secret'] = 'x'.repeat(43);
      writeFileSync(secrets, JSON.stringify(content));
      return (await examine()).problems.includes('daemon');
    }, 'the doctor sees it');
  }, 60_000);

  test('clients whose entries lead elsewhere', async () => {
    clientFile('.cursor/mcp.json', entry(bridge));
    clientFile('.config/Claude/claude_desktop_config.json', entry('/nowhere/bin/sallyport-mcp'));
    clientFile('.codeium/windsurf/mcp_config.json', entry('sallyport-mcp'));
    clientFile('.config/goose/config.yaml', `extensions:\n  sallyport:\n    cmd: ${JSON.stringify(bridge)}\n`);
    const other = join(home.folder, 'other');
    mkdirSync(other);
    writeFileSync(join(other, 'sallyport-mcp'), '#!/bin/sh\n', { mode: 0o755 });
    clientFile('.claude.json', entry(join(other, 'sallyport-mcp')));
    symlinkSync(bridge, join(other, 'link-sallyport-mcp'));
    clientFile('.config/zed/settings.json', entry(join(other, 'link-sallyport-mcp'), 'context_servers'));
    const { port } = JSON.parse(readFileSync(join(home.home, 'mcp-handshake.json'), 'utf8'));
    const speaks = (used: number) =>
      JSON.stringify({ servers: { sallyport: { type: 'http', url: `http://127.0.0.1:${used}/mcp` } } });
    clientFile('.config/Code/User/mcp.json', speaks(port === 1_234 ? 1_235 : 1_234));
    const { problems, checks } = await examine();
    expect(problems.sort()).toEqual(['Claude Code', 'Claude Desktop', 'VS Code', 'Windsurf']);
    const fine = checks.filter(({ ok }) => ok).map(({ name }) => name);
    expect(fine).toEqual(expect.arrayContaining(['Cursor', 'Goose', 'Zed']));
    clientFile('.config/Code/User/mcp.json', speaks(port));
    expect((await examine()).problems).not.toContain('VS Code');
  }, 60_000);

  test('clients whose entries start something else, lead to another home, or load another’s code', async () => {
    const server = (more: object) => JSON.stringify({ mcpServers: { sallyport: { command: bridge, ...more } } });
    clientFile('.cursor/mcp.json', server({ command: '/tmp/agent' }));
    clientFile('.codeium/windsurf/mcp_config.json', server({ env: { SALLYPORT_HOME: '/tmp/agent' } }));
    clientFile(
      '.codex/config.toml',
      `[mcp_servers.sallyport]\ncommand = ${JSON.stringify(bridge)}\nenv = { SALLYPORT_HOME = "/tmp/agent" }\n`,
    );
    clientFile('.config/goose/config.yaml', 'extensions:\n  sallyport:\n    cmd: /tmp/agent\n');
    clientFile('.gemini/settings.json', server({ env: { SALLYPORT_HOME: home.home } }));
    clientFile('.junie/mcp/mcp.json', server({ env: { NODE_OPTIONS: '--require /tmp/agent.js' } }));
    const { problems, checks } = await examine();
    expect(problems.sort()).toEqual(['Codex', 'Cursor', 'Goose', 'Windsurf']);
    expect(checks).toContainEqual(expect.objectContaining({ name: 'JetBrains Junie', advice: true }));
    expect(JSON.stringify(checks)).not.toContain('agent.js');
  }, 60_000);

  test('secrets that are missing, cut or another home’s; a database that is newer, or none', async () => {
    await home.run(['stop']);
    const [secrets, store] = [join(home.home, 'secrets.json'), join(home.home, 'sallyport.db')];
    const [kept, keptStore] = [readFileSync(secrets, 'utf8'), readFileSync(store)];
    const record = join(home.home, 'store.json');
    const keptRecord = readFileSync(record);
    const states: [() => void, string, RegExp][] = [
      [() => rmSync(secrets), 'secrets', /is missing, and with it/],
      [
        () => ['store.json', 'secrets.json'].map(name => rmSync(join(home.home, name))),
        'secrets',
        /which says where they are, is missing, and so/,
      ],
      [() => writeFileSync(secrets, kept.slice(0, 40), { mode: 0o600 }), 'secrets', /is damaged/],
      [
        () => writeFileSync(secrets, kept.replace(/"store": "[^"]{8}/, '"store": "00000000')),
        'secrets',
        /another home/,
      ],
      [() => writeFileSync(store, 'no database'), 'store', /is not a database/],
      [
        () => writeFileSync(store, withVersion(keptStore, 99)),
        'store',
        /another version of Sallyport \(store version 99/,
      ],
    ];
    for (const [spoil, name, says] of states) {
      spoil();
      const { problems, checks } = await examine();
      expect(problems).toEqual([name]);
      expect(checks.find(check => check.name === name)?.says).toMatch(says);
      // The doctor finds what prevents the start.
      expect((await home.run(['start'])).code).toBe(1);
      writeFileSync(secrets, kept, { mode: 0o600 });
      writeFileSync(record, keptRecord, { mode: 0o600 });
      writeFileSync(store, keptStore);
    }
    expect((await home.run(['start'])).code).toBe(0);
    expect((await examine()).problems).toEqual([]);
  }, 60_000);

  test('after a kill -9 the leftovers are no problem', async () => {
    await home.end('SIGKILL');
    const { problems, checks } = await examine();
    expect(problems).toEqual([]);
    expect(checks.find(({ name }) => name === 'handshake')?.says).toContain('was killed');
  }, 60_000);
});

describe('programs', () => {
  /** An install of its own, since its files are changed. */
  const copied = () => {
    const root = dirname(dirname(executable));
    const place = join(home.folder, 'install');
    for (const part of ['bin', 'bundle']) cpSync(join(root, part), join(place, 'build', part), { recursive: true });
    symlinkSync(join(root, '..', 'node_modules'), join(place, 'node_modules'));
    return join(place, 'build');
  };
  async function found(build: string, name: string, PATH = '/usr/bin:/bin'): Promise<Finding[]> {
    const child = home.spawnProgram('/usr/bin/env', [`PATH=${PATH}`, join(build, 'bin/sallyport'), 'doctor', '--json']);
    let said = '';
    child.stdout?.on('data', text => {
      said += text;
    });
    await new Promise(resolve => child.once('close', resolve));
    const { checks }: { checks: Finding[] } = JSON.parse(said);
    return checks.filter(check => check.name === name);
  }

  test('one that was changed after its build, and one that others can write', async () => {
    const build = copied();
    expect(await found(build, 'programs')).toMatchObject([
      { ok: true, says: expect.stringContaining('as they were built') },
    ]);
    const changed = join(build, 'bundle/sallyportd.cjs');
    writeFileSync(changed, `${readFileSync(changed, 'utf8')}\n// planted\n`);
    expect(await found(build, 'programs')).toMatchObject([
      { ok: false, says: expect.stringContaining(`${changed} is not as built`) },
    ]);
    chmodSync(changed, 0o666);
    expect(await found(build, 'programs')).toMatchObject([
      { ok: false },
      { ok: false, says: expect.stringContaining(`${changed} is writable by others`) },
    ]);
    rmSync(join(build, 'bundle/manifest.json'));
    expect(await found(build, 'programs')).toMatchObject([{ ok: false, says: expect.stringContaining('is missing') }]);
  }, 60_000);

  test('another `sallyport` before this one in PATH', async () => {
    const build = dirname(dirname(executable));
    const planted = join(home.folder, 'planted');
    mkdirSync(planted);
    expect(await found(build, 'path', `${planted}:${join(build, 'bin')}:/usr/bin:/bin`)).toMatchObject([{ ok: true }]);
    writeFileSync(join(planted, 'sallyport'), '#!/bin/sh\n', { mode: 0o755 });
    expect(await found(build, 'path', `${planted}:${join(build, 'bin')}:/usr/bin:/bin`)).toMatchObject([
      { ok: false, says: expect.stringContaining(join(planted, 'sallyport')) },
    ]);
  }, 60_000);

  test('the Node that started it, and each native module: one that is broken, crashes or is gone', async () => {
    const build = copied();
    expect(await found(build, 'versions')).toMatchObject([
      { ok: true, says: expect.stringMatching(`on Node ${process.versions.node} \\(/.*/node\\)\\.$`) },
    ]);
    expect(await found(build, 'modules')).toMatchObject([{ ok: true }]);
    const own = realpathSync(join(build, '../node_modules'));
    const packages = join(build, '../node_modules');
    rmSync(packages);
    for (const name of nativeModules) {
      mkdirSync(dirname(join(packages, name)), { recursive: true });
      symlinkSync(join(own, name), join(packages, name));
    }
    expect(await found(build, 'modules')).toMatchObject([{ ok: true }]);
    const broken = join(packages, 'libpg-query');
    rmSync(broken);
    expect(await found(build, 'modules')).toMatchObject([{ ok: false, says: 'libpg-query is missing.' }]);
    mkdirSync(broken);
    writeFileSync(join(broken, 'index.js'), 'throw new Error("made for another Node\\nand more");');
    const says = "libpg-query can't be loaded: made for another Node.";
    expect(await found(build, 'modules')).toMatchObject([{ ok: false, says, remedy: 'install Sallyport again' }]);
    writeFileSync(join(broken, 'index.js'), 'process.abort();');
    expect(await found(build, 'modules')).toMatchObject([{ ok: false, says: expect.stringContaining('SIGABRT') }]);
  }, 60_000);

  test('doctor loads each package of ours that is machine code or WebAssembly', () => {
    const { dependencies, optionalDependencies = {} } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
    const isNative = (name: string): boolean => {
      const folder = join(project, 'node_modules', name);
      return (
        existsSync(folder) && readdirSync(folder, { recursive: true }).some(file => /\.(node|wasm)$/.test(`${file}`))
      );
    };
    const native = Object.keys({ ...dependencies, ...optionalDependencies }).filter(isNative);
    expect(nativeModules).toEqual(expect.arrayContaining(native));
    expect(Object.keys({ ...dependencies, ...optionalDependencies })).toEqual(
      expect.arrayContaining([...nativeModules]),
    );
  });
});
