/**
 * `sallyport boxes run` as people type it: what is inside, how it ends, what it refuses to show.
 * What a hostile program gets is in test/attacks/boxes.
 */

import { spawnSync } from 'node:child_process';
import {
  chownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { missingPrograms, needs } from '../../needs.ts';
import { daemonsOf, signalEach } from '../../servers/daemons.ts';
import { executable, type RealHome } from '../../shell-terminal/real-home.ts';
import { beginUnattended } from '../../unattended-home.mjs';
import { addBox, addTokenBox, bring, homeWithShop } from './box.ts';

/** Adds a key to a session keyring of its own, then becomes the program. */
const withKey = `$join = 1; $r = syscall($ENV{KEYCTL}, $join, 0); $r >= 0 or die "no keyring: $!";
$name = 'sallyport-test'; $value = 'key-of-the-owner'; $type = 'user';
syscall($ENV{ADD_KEY}, $type, $name, $value, 16, -3) > 0 or die "no key: $!"; exec @ARGV;`;
/** Prints the key's value if the kernel gives it out. */
const readKey = `$type = 'user'; $name = 'sallyport-test'; $found = syscall($ENV{KEYCTL}, 10, -3, $type, $name, 0);
$value = ' ' x 32; $length = syscall($ENV{KEYCTL}, 11, $found, $value, 32); print $length > 0 ? $value : "no key: $!\\n"`;
/** TIOCSTI without a terminal: refused before the kernel looks for one. */
const typeKey = `$key = 'x'; ioctl(STDIN, 0x5412, $key); print "$!\\n"`;
const calls = process.arch === 'x64' ? { KEYCTL: '250', ADD_KEY: '248' } : { KEYCTL: '219', ADD_KEY: '217' };

needs(missingPrograms(['bwrap', 'slirp4netns', 'socat', 'perl'], bring)).describe('boxes run', () => {
  let home: RealHome;
  let work: string;
  beforeAll(async () => {
    home = await homeWithShop();
    work = join(home.folder, 'work');
    await addBox(home, 'sandbox');
    await addTokenBox(home, 'desk');
  }, 60_000);
  afterAll(() => home.clean());

  const sh = (line: string, ...options: string[]): string[] => [
    ...['boxes', 'run', 'sandbox', ...options],
    ...['--', 'sh', '-c', line],
  ];

  test('passes input, output and the exit code on', async () => {
    const ran = await home.run(sh('cat; echo to stderr >&2; exit 7'), { stdin: 'said\n' });
    expect(ran).toEqual({ code: 7, stdout: 'said\n', stderr: 'to stderr\n' });
    expect((await home.run(sh('kill -TERM $$'))).code).toBe(128 + 15);
    expect((await home.run(sh('echo --json', '--network'))).stdout).toBe('--json\n');
  }, 30_000);

  test.each([[], ['--network']])(
    'has the environment that the page names, and no other %s',
    async (...options) => {
      const given = { environment: { OWNERS_KEY: 'secret', PASSED: 'yes', TERM: 'xterm' } };
      const { stdout } = await home.run(
        sh('env; tr "\\0" "\\n" </proc/1/environ', '--env', 'PASSED', ...options),
        given,
      );
      const names = new Set(stdout.split('\n').map(line => line.split('=')[0]));
      expect([...names].sort()).toEqual(['', 'HOME', 'PASSED', 'PATH', 'PWD', 'SALLYPORT_SOCKET', 'TERM']);
    },
    30_000,
  );

  test('shows the current folder to write into, and what was named', async () => {
    for (const name of ['read', 'write', 'hidden']) mkdirSync(join(home.folder, name));
    writeFileSync(join(home.folder, 'read', 'a'), 'to read');
    const line = `cat ../read/a; touch ../read/b 2>/dev/null || echo ' only'; touch here ../write/b; ls ~; id -u`;
    const ran = await home.run(sh(line, '--show', '../read', '--share', '../write'));
    expect(ran.stdout).toBe(`to read only\nhome\nread\nwork\nwrite\n${process.getuid?.()}\n`);
    for (const made of ['work/here', 'write/b']) expect(readFileSync(join(home.folder, made), 'utf8')).toBe('');
  }, 30_000);

  test('has no capability, no descriptor, no key of the kernel, and types nothing into a terminal', async () => {
    const open = openSync(join(home.folder, 'Shop.db'), 'r');
    const words = sh(
      `ls /proc/self/fd | wc -l; ls /proc/1/fd | grep -c . ; perl -e "$READ_KEY"; perl -e "$TYPE_KEY"; grep CapEff /proc/self/status`,
      ...['READ_KEY', 'TYPE_KEY', 'KEYCTL'].flatMap(name => ['--env', name]),
    );
    const env = { SALLYPORT_HOME: home.home, HOME: home.folder, PATH: `${dirname(process.execPath)}:/usr/bin:/bin` };
    const all = { ...env, ...calls, READ_KEY: readKey, TYPE_KEY: typeKey };
    const stdio = ['ignore', 'pipe', 'pipe', open, open] as ['ignore', 'pipe', 'pipe', number, number];
    const run = (program: readonly string[]) =>
      spawnSync('perl', ['-e', withKey, ...program], { cwd: work, env: all, stdio, encoding: 'utf8' });
    // Outside, each works.
    expect(run(['sh', '-c', 'ls /proc/self/fd | wc -l; perl -e "$READ_KEY"; perl -e "$TYPE_KEY"']).stdout).toMatch(
      /^[6-9]\nkey-of-the-owner\s*Inappropriate ioctl/,
    );
    const ran = run([executable, ...words]);
    expect(ran.stderr).toBe('');
    expect(ran.stdout).toMatch(/^4\n4\nno key: Operation not permitted\nOperation not permitted\nCapEff:\t0{16}\n$/);
  }, 30_000);

  test('ends with the command that started it', async () => {
    for (const options of [[], ['--network']]) {
      const child = home.spawn(sh('echo up; exec sleep 987', ...options));
      await new Promise(resolve => child.stdout?.once('data', resolve));
      child.kill('SIGKILL');
      await new Promise(resolve => child.once('close', resolve));
      const left = spawnSync('sh', ['-c', 'pgrep -f "[s]leep 987|[s]lirp4netns.*tap0"'], { encoding: 'utf8' });
      expect(left.stdout).toBe('');
    }
  }, 30_000);

  test('reaches names and addresses by its network, never our loopback', async () => {
    const { stdout } = await home.run(sh('cat /etc/resolv.conf; cat /proc/net/route', '--network'));
    expect(stdout).toMatch(/^nameserver 10\.0\.2\.3\n[\s\S]*\ntap0\t00000000\t0202000A/);
    expect((await home.run(sh('tail -n +2 /proc/net/route'))).stdout).toBe('');
  }, 30_000);

  test.each([
    ['.', '..', 'the home of the user'],
    ['.', '../home', 'the home of Sallyport'],
    ['.', '../home/logs', 'a folder in it'],
    ['.', '/tmp', 'what all programs share'],
    ['.', '/', 'all'],
    ['.', 'link', 'a link to one of them'],
    ['.', '/run', 'the sockets of the system'],
  ])('refuses to show from %s %s: %s', async (_, path) => {
    try {
      symlinkSync('../home', join(work, 'link'));
    } catch {
      // It is there.
    }
    for (const option of ['--show', '--share']) {
      const { code, stderr, stdout } = await home.here(sh('ls', option, path));
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toContain("can't be shown to the box");
    }
  });

  test.each([
    [['boxes', 'run', 'none', '--', 'ls'], 'There is no box "none"'],
    [['boxes', 'run', 'desk', '--', 'ls'], 'has a token and no socket'],
    [['boxes', 'run', 'sandbox'], 'COMMAND... is missing'],
    [['boxes', 'run', 'sandbox', '--env', 'A=b', '--', 'ls'], '--env takes the name'],
    [['boxes', 'run', 'sandbox', '--show', '/no/such', '--', 'ls'], 'there is no such file'],
    [['boxes', 'run', 'sandbox', '--show', '../home/control.sock', '--', 'ls'], "can't be shown"],
  ])('%s is refused', async (words, sentence) => {
    const { code, stderr } = await home.here(words);
    expect(code).toBeGreaterThan(0);
    expect(stderr).toContain(sentence);
  });
});

const isRoot = process.getuid?.() === 0;
const needsAll = needs(isRoot ? missingPrograms(['bwrap', 'slirp4netns', 'setpriv', 'unshare'], bring) : 'run as root');

describe('boxes run, by an ordinary account', () => {
  const person = 65_534;
  let folder: string;
  let home: string;
  const work = (): string => join(folder, 'work');
  function run(words: readonly string[], through: readonly string[] = []): { code: number | null; said: string } {
    const [program = '', ...first] = [...through, executable];
    const env = { SALLYPORT_HOME: home, HOME: folder, PATH: `${dirname(process.execPath)}:/usr/bin:/bin` };
    const ids = { uid: person, gid: person };
    const ran = spawnSync(program, [...first, ...words], { cwd: work(), env, encoding: 'utf8', ...ids });
    return { code: ran.status, said: ran.stdout + ran.stderr };
  }

  needsAll.test(
    'starts one, and says in one sentence what the system forbids and what to do',
    async () => {
      folder = mkdtempSync('/tmp/sallyport-ordinary-');
      home = join(folder, 'home');
      try {
        beginUnattended(home);
        mkdirSync(work());
        for (const path of [folder, home, join(home, 'unattended'), work()]) chownSync(path, person, person);
        expect(run(['boxes', 'add', 'cell'])).toMatchObject({ code: 69 });
        expect(run(['start'])).toMatchObject({ code: 0 });
        expect(run(['boxes', 'add', 'cell'])).toMatchObject({ code: 0 });
        expect(run(['boxes', 'run', 'cell', '--', 'id', '-u'])).toEqual({ code: 0, said: `${person}\n` });
        const networked = run(['boxes', 'run', 'cell', '--network', '--', 'id', '-u']);
        // The device is as this machine has it.
        expect(networked).toEqual(
          (lstatSync('/dev/net/tun', { throwIfNoEntry: false })?.mode ?? 0) & 0o2
            ? { code: 0, said: `${person}\n` }
            : {
                code: 1,
                said: expect.stringMatching(
                  /^sallyport: The network of a box needs \/dev\/net\/tun, which is (?:closed to you; `sudo chmod 666 \/dev\/net\/tun`|missing; `sudo modprobe tun`) mends that, or leave out --network\.\n$/,
                ),
              },
        );
        // The switch of a namespace of its own, without rights in it.
        const forbidden =
          'echo 0 >/proc/sys/user/max_user_namespaces; exec setpriv --inh-caps=-all --bounding-set=-all "$@"';
        expect(
          run(
            ['boxes', 'run', 'cell', '--', 'id', '-u'],
            ['unshare', '--user', '--map-root-user', 'sh', '-c', forbidden, 'sh'],
          ),
        ).toEqual({
          code: 1,
          said: 'sallyport: This system forbids the namespaces that a box is made of; `sudo sysctl user.max_user_namespaces=15000` allows them to every program until it starts again.\n',
        });
        expect(run(['stop'])).toMatchObject({ code: 0 });
      } finally {
        signalEach(daemonsOf(home)(), 'SIGKILL');
        rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
      }
    },
    60_000,
  );
});
