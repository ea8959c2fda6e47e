/**
 * Two installs that serve one home: taking one away leaves what starts the other, its daemon, and
 * the home. And an install by Homebrew or pnpm, whose folder of a version goes at an upgrade.
 */

import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { shellWord } from '../../shared/client-configs.ts';
import { version } from '../../shared/version.ts';
import { commandIn as commandOfAgent, launchAgent } from '../../shell-terminal/service/launch-agent.ts';
import { commandIn, systemdUnit } from '../../shell-terminal/service/systemd-unit.ts';
import { skillFile } from '../../shell-terminal/skill/text.ts';
import { until } from '../waiting/until.ts';
import { Place, root } from './installed.ts';

let place: Place;
let source: string;
let userHome: string;
beforeEach(() => {
  place = new Place();
  source = place.copyOfProject();
  // On the disk, beside the executable that is copied.
  userHome = join(source, '../ada');
  mkdirSync(userHome);
});
afterEach(async () => {
  const handshake = join(home(), 'mcp-handshake.json');
  if (existsSync(handshake)) process.kill(JSON.parse(readFileSync(handshake, 'utf8')).pid, 'SIGTERM');
  await until(() => !existsSync(handshake), 'the daemon has ended');
  await place.clean();
});

const home = () => join(userHome, '.local/share/sallyport');
const unit = () => join(userHome, '.config/systemd/user/sallyport.service');
const desktop = () => join(userHome, '.local/share/applications/sallyport.desktop');
const at = (...names: string[]) => join(userHome, ...names);
const skill = () => at('.claude/skills/sallyport/SKILL.md');

/** As the person types it, without a user manager of systemd. */
const typed = (file: string, ...words: string[]) =>
  place.run(file, words, {
    env: { HOME: userHome, SALLYPORT_HOME: undefined, XDG_RUNTIME_DIR: '/nowhere', DBUS_SESSION_BUS_ADDRESS: '' },
  });
const installed = async (prefix: string): Promise<string> => {
  await place.run('sh', ['bridge/packaging/place.sh', 'install', prefix], { cwd: source, env: { HOME: userHome } });
  return join(prefix, 'bin/sallyport');
};

test.each(['sallyport uninstall', 'make uninstall'])(
  '%s takes away nothing of another install',
  async way => {
    const [one, other] = [await installed(at('one')), await installed(at('an other'))];
    await typed(other, 'service', 'install');
    await typed(other, 'start');
    await typed(other, 'connect', 'claude-code', '--skill');
    mkdirSync(at('.cursor'));
    await typed(other, 'connect', 'cursor', '--write');
    const before = [unit(), desktop(), skill(), at('.cursor/mcp.json')].map(file => readFileSync(file, 'utf8'));
    const said =
      way === 'sallyport uninstall'
        ? await typed(one, 'uninstall')
        : await place.run('sh', ['bridge/packaging/place.sh', 'uninstall', at('one')], {
            cwd: source,
            env: { HOME: userHome, SALLYPORT_HOME: undefined },
          });
    const daemon = at('an other/lib/sallyport/bin/sallyportd');
    expect(said.replace(/process \d+/, 'process N')).toBe(
      `The login service stays, because it starts another Sallyport: ${daemon}
Links stay as they are, because they open in another Sallyport: ${join(dirname(daemon), 'sallyport')}
Cursor starts another Sallyport, or for another home: the entry in ${at('.cursor/mcp.json')} stays.
Another Sallyport runs, and goes on: process N, ${daemon}
Your connections, passwords, settings and log stay for the other Sallyport, in ${home()}
Removed ${at('one')}/lib/sallyport and its commands in ${at('one')}/bin.
`,
    );
    expect(existsSync(at('one'))).toBe(false);
    const after = [unit(), desktop(), skill(), at('.cursor/mcp.json')].map(file => readFileSync(file, 'utf8'));
    expect(after).toEqual(before);
    expect(JSON.parse(await typed(other, 'service', 'status', '--json'))).toMatchObject({
      file: unit(),
      running: true,
    });

    // The other one's own goes, and what it says of the rest is true.
    const told = await typed(other, 'uninstall');
    for (const line of [
      `Removed ${unit()}`,
      `Removed ${desktop()}`,
      `Kept: the entry "sallyport" in ${at('.cursor/mcp.json')}`,
      `Kept: the skill ${skill()}`,
      'Take it out by hand, or install Sallyport again.',
      'Stopped Sallyport, which was running.',
      `Your connections, passwords, settings and log stay in ${home()}. To be rid of them: rm -r ${shellWord(home())}`,
    ])
      expect(told.split('\n')).toContain(line);
    expect(readdirSync(userHome).sort()).toEqual(['.claude', '.cursor', '.local']);
    expect(readFileSync(skill(), 'utf8')).toBe(skillFile);
    execFileSync('sh', ['-c', told.split('To be rid of them: ')[1]?.split('\n')[0] ?? 'false']);
    // The desktop's own folder may stay, empty.
    const left = readdirSync(at('.local/share'), { recursive: true });
    expect(left.filter(name => name !== 'applications')).toEqual([]);
  },
  120_000,
);

test('a service whose program is gone is told, and anybody’s to take away', async () => {
  const [one, other] = [await installed(at('one')), await installed(at('other'))];
  await typed(other, 'service', 'install');
  expect(await typed(one, 'service', 'status')).toMatch(
    /Another one, \/.*\/other\/lib\/sallyport\/bin\/sallyportd, starts when you log in: /,
  );
  rmSync(at('other'), { recursive: true });
  expect(await typed(one, 'service', 'status')).toMatch(/can't start it .* is gone; `sallyport service install`/);
  expect(await typed(one, 'uninstall')).toContain(`Removed ${unit()}\nRemoved ${desktop()}\n`);
}, 60_000);

test('by Homebrew: the service and links name what stays when the folder of a version goes', async () => {
  const brew = at('brew');
  const cellar = join(brew, 'Cellar/sallyport');
  const versioned = join(cellar, '0.1.0');
  mkdirSync(join(versioned, 'bin'), { recursive: true });
  renameSync(join(source, 'build/executable'), join(versioned, 'libexec'));
  for (const folder of ['bin', 'opt']) mkdirSync(join(brew, folder));
  for (const command of ['sallyport', 'sallyportd', 'sallyport-mcp']) {
    symlinkSync(`../libexec/bin/${command}`, join(versioned, 'bin', command));
    symlinkSync(`../Cellar/sallyport/0.1.0/bin/${command}`, join(brew, 'bin', command));
  }
  symlinkSync('../Cellar/sallyport/0.1.0', join(brew, 'opt/sallyport'));
  const sallyport = join(brew, 'bin/sallyport');
  await typed(sallyport, 'service', 'install');
  const texts = [unit(), desktop()].map(file => readFileSync(file, 'utf8'));
  texts.push(await typed(sallyport, 'connect', 'cursor'));
  for (const text of texts) expect(text).not.toContain('Cellar');

  renameSync(versioned, join(cellar, '0.2.0'));
  rmSync(join(brew, 'opt/sallyport'));
  symlinkSync('../Cellar/sallyport/0.2.0', join(brew, 'opt/sallyport'));
  const [daemon = ''] = commandIn(texts[0] ?? '');
  expect(await place.run(daemon, ['--version'])).toBe(`sallyportd ${version}\n`);
  const told = await typed(join(cellar, '0.2.0/bin/sallyport'), 'uninstall');
  expect(told).toContain(`Removed ${unit()}\nRemoved ${desktop()}\n`);
  expect(told).toContain('Now the program itself: brew uninstall sallyport\n');
}, 60_000);

test('by npm with Homebrew’s Node, or by pnpm: neither names the folder of a version', async () => {
  const cellar = at('brew/Cellar/node/24.15.0');
  mkdirSync(join(cellar, 'bin'), { recursive: true });
  mkdirSync(at('brew/opt'));
  execFileSync('sh', ['-c', 'ln "$0" "$1" 2>/dev/null || cp "$0" "$1"', process.execPath, join(cellar, 'bin/node')]);
  symlinkSync('../Cellar/node/24.15.0', at('brew/opt/node'));
  const packages = at('global/node_modules');
  const real = join(packages, '.pnpm/sallyport@0.1.0/node_modules/sallyport');
  for (const part of ['build/npm', 'build/bundle']) cpSync(join(root, part), join(real, part), { recursive: true });
  symlinkSync('.pnpm/sallyport@0.1.0/node_modules/sallyport', join(packages, 'sallyport'));
  const command = join(packages, 'sallyport/build/npm/sallyport');
  await typed(at('brew/opt/node/bin/node'), command, 'service', 'install');
  const [node, , daemon] = commandIn(readFileSync(unit(), 'utf8'));
  expect([node, daemon]).toEqual([at('brew/opt/node/bin/node'), join(packages, 'sallyport/build/npm/sallyportd')]);
  expect(readFileSync(desktop(), 'utf8')).not.toContain('.pnpm');
}, 60_000);

test.each([
  [['/usr/lib/sallyport/bin/sallyportd']],
  [['/opt/a "b" %h $HOME \\n/node', '--x', '/home/ö/$$ %% $/sallyportd']],
  [["/Users/o'brien/My & <Apps>\n/sallyportd", '']],
])('what was written is read again: %j', command => {
  const shell = /["'\\]/.test(command[0] ?? '') ? ['/bin/sh', '-c', 'exec "$0" "$@"'] : [];
  expect(commandIn(systemdUnit(command))).toEqual([...shell, ...command]);
  expect(commandOfAgent(launchAgent(command, '/x'))).toEqual(command);
});
