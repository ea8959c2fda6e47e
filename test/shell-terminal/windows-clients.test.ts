/**
 * `sallyport connect CLIENT --wsl`: the entry of a client on Windows, whose file is found, written
 * and left alone as on Linux, and whose words start the bridge.
 */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { windowsFile } from '../../shell-terminal/connect/windows.ts';
import type { Terminal } from '../../shell-terminal/terminal.ts';
import { BridgeProcess, legacy } from '../bridge/bridge-process.ts';
import { executable, type RealHome, realHome } from './real-home.ts';

const bridge = join(dirname(executable), 'sallyport-mcp');

let home: RealHome;
let person: string;
beforeEach(() => {
  home = realHome();
  person = join(home.folder, 'Users/Anna B');
  mkdirSync(join(person, 'AppData/Roaming/Claude'), { recursive: true });
});
afterEach(() => home.clean());

const file = () => join(person, 'AppData/Roaming/Claude/claude_desktop_config.json');
const inWsl = () => ({ WSL_DISTRO_NAME: 'Debian', USERPROFILE: person });
const connect = (words: readonly string[], environment: Record<string, string> = inWsl()) =>
  home.here(['connect', ...words], { environment });
const entry = () => JSON.parse(readFileSync(file(), 'utf8').replace('\uFEFF', '')).mcpServers.sallyport;
const words = () => ['-d', 'Debian', '-e', '/usr/bin/env', `SALLYPORT_HOME=${home.home}`, bridge];

test('it writes the file of Windows, keeps what is in it, and takes the entry out again', async () => {
  const before = '\uFEFF{\r\n  "globalShortcut": "",\r\n  "mcpServers": {}\r\n}\r\n';
  writeFileSync(file(), before);
  const { code, stdout } = await connect(['claude-desktop', '--wsl', '--write']);
  expect([code, stdout]).toEqual([0, expect.stringContaining(`added to ${file()}`)]);
  expect(entry()).toEqual({ command: 'wsl.exe', args: words() });
  expect(readFileSync(file(), 'utf8')).toContain('"globalShortcut": "",\r\n');
  // Nothing is told of arguments that are Sallyport's own.
  const again = await connect(['claude-desktop', '--wsl', '--write']);
  expect([again.stdout, again.stderr]).toEqual([expect.stringContaining('nothing was changed'), '']);
  expect(await connect(['claude-desktop', '--wsl', '--remove'])).toMatchObject({ code: 0 });
  expect(readFileSync(file(), 'utf8')).not.toContain('sallyport');
});

test('the words behind -e start the bridge, with no variable of a client', async () => {
  await connect(['claude-desktop', '--wsl', '--write']);
  const { args } = entry();
  const started = new BridgeProcess(args.slice(args.indexOf('-e') + 1), '', { SALLYPORT_HOME: undefined });
  try {
    const asked = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } };
    expect(await started.ask(legacy(1, 'initialize', asked))).toMatchObject({
      result: { serverInfo: { name: 'sallyport' } },
    });
    await started.ask(legacy(2, 'tools/call', { name: 'list_connections', arguments: {} }));
    expect(home.daemons()).toHaveLength(1);
  } finally {
    await started.stop();
  }
});

test('without --write it prints the entry, and for Claude Code the line to type on Windows', async () => {
  const cursor = await connect(['cursor', '--wsl']);
  expect(JSON.parse(cursor.stdout).mcpServers.sallyport.args).toEqual(words());
  expect(cursor.stderr).toContain(join(person, '.cursor/mcp.json'));
  expect(cursor.stderr).toContain('sallyport connect cursor --wsl --write');
  const code = await connect(['claude-code', '--wsl']);
  expect(code.stdout.trim()).toBe(`claude mcp add sallyport -- wsl.exe ${words().join(' ')}`);
  expect(existsSync(join(person, '.cursor'))).toBe(false);
  const goose = await connect(['goose', '--wsl']);
  expect([goose.code, goose.stdout]).toEqual([0, expect.stringContaining('cmd: "wsl.exe"')]);
  expect(goose.stderr).toContain('add this to its file on Windows');
});

test.each([
  ['outside WSL', ['cursor', '--wsl'], { USERPROFILE: '/x' }, 'type it inside WSL'],
  ['a client whose file on Windows is elsewhere', ['goose', '--wsl', '--write'], null, 'name it with --file'],
  ['a box', ['cursor', '--wsl', '--box', 'b'], null, '--wsl needs the name of a client'],
  ['a project', ['cursor', '--wsl', '--project'], null, '--wsl needs the name of a client'],
  ['http', ['http', '--wsl'], null, '--wsl needs the name of a client'],
  ['every client', ['--all', '--wsl', '--write'], null, 'not with --wsl'],
])('%s is refused with what to do', async (_, typed, environment, told) => {
  const { code, stderr } = await connect(typed, environment ?? inWsl());
  expect([code, stderr]).toEqual([2, expect.stringContaining(told)]);
});

test('the person is the one whose folder has programs; of several, none is taken', () => {
  const users = join(home.folder, 'Users');
  const found = () => windowsFile({ environment: {} } as Terminal, 'cursor', users);
  for (const name of ['Default', 'Public', 'All Users'])
    mkdirSync(join(users, name, 'AppData/Roaming'), { recursive: true });
  mkdirSync(join(users, 'WsiAccount'));
  expect(found()).toBe(join(person, '.cursor/mcp.json'));
  mkdirSync(join(users, 'Other/AppData/Roaming'), { recursive: true });
  expect(found()).toMatchObject({ message: expect.stringContaining('is unknown (2 have programs there)') });
});
