/**
 * Private SSH servers for tests, each with its own host key and port, and the ssh configuration,
 * keys and known hosts of a person with a temporary home folder. It neither reads nor changes this
 * machine's own SSH.
 */

import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { folderOf } from '../missing-programs.ts';
import { until } from '../waiting/until.ts';
import { freePort } from './free-port.ts';

const sshdFolder = folderOf(['sshd'], ['/usr/sbin', '/usr/local/sbin']);

export const sshUnavailable: string | null =
  sshdFolder !== null && folderOf(['ssh', 'ssh-keygen', 'ssh-agent', 'ssh-add']) !== null
    ? null
    : 'no sshd or ssh; SALLYPORT_TEST_INSTALL=1 make test installs them, or: apt-get install openssh-server';

export interface SshHome {
  /** The person's home folder. */
  readonly folder: string;
  readonly knownHosts: string;
  /** Has no passphrase; each server accepts it. */
  readonly keyFile: string;
  /** Its passphrase is `not-secret-here`; each server accepts it. */
  readonly lockedKeyFile: string;
  readonly passphrase: string;
  readonly user: string;
  /**
   * Writes ~/.ssh/config anew: these lines, then the lines that keep the known hosts in this home.
   */
  configure(lines: string): void;
  /**
   * Starts an agent with these keys; `clean` ends it.
   * @param answer of its person, whom it asks at each use of a key.
   * @returns what `ssh-agent` prints as its path.
   */
  startAgent(keys: readonly string[], answer?: 'yes' | 'no'): Promise<string>;
  clean(): Promise<void>;
}

export interface SshServer {
  readonly port: number;
  /** `127.0.0.1:PORT`, with the user. */
  readonly place: string;
  readonly fingerprint: string;
  /** Adds its host key to the known ones. */
  trust(): void;
  /** Its log, as sshd writes it. */
  log(): string;
  /** Ends it with all its connections at once. */
  kill(): Promise<void>;
  /**
   * After {@link kill}, on the same port.
   * @param hostKey `another`: as if somebody else had put a server there.
   */
  start(hostKey?: 'same' | 'another'): Promise<void>;
}

/** @param folder an existing home; its owner removes it. */
export function sshHome(folder = mkdtempSync(join(tmpdir(), 'sallyport-ssh-'))): SshHome {
  const ssh = join(folder, '.ssh');
  mkdirSync(ssh, { mode: 0o700 });
  const knownHosts = join(ssh, 'known_hosts');
  const [keyFile, lockedKeyFile] = [join(ssh, 'id'), join(ssh, 'locked')];
  const passphrase = `not-${'secret'}-here`;
  makeKey(keyFile, '');
  makeKey(lockedKeyFile, passphrase);
  const agents: ChildProcess[] = [];
  const home: SshHome = {
    ...{ folder, knownHosts, keyFile, lockedKeyFile, passphrase },
    user: userInfo().username,
    configure(lines) {
      const own = ['Host *', `  UserKnownHostsFile "${knownHosts}"`, '  GlobalKnownHostsFile /dev/null'];
      writeFileSync(join(ssh, 'config'), `${lines}\n${own.join('\n')}\n`, { mode: 0o600 });
    },
    async startAgent(keys, answer) {
      const path = join(folder, `agent-${agents.length}`);
      const asks = answer === undefined ? {} : { SSH_ASKPASS: answer === 'yes' ? '/bin/true' : '/bin/false' };
      const agent = started('ssh-agent', ['-D', '-a', path], { ...asks, SSH_ASKPASS_REQUIRE: 'force' });
      agents.push(agent);
      await until(() => existsSync(path), 'the agent listens');
      for (const key of keys)
        execFileSync('ssh-add', ['-q', ...(answer === undefined ? [] : ['-c']), key], {
          env: { ...process.env, SSH_AUTH_SOCK: path },
          stdio: 'pipe',
        });
      return path;
    },
    async clean() {
      for (const agent of agents) agent.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
  home.configure(`Host *\n  IdentityFile "${keyFile}"`);
  return home;
}

function makeKey(file: string, passphrase: string): void {
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', passphrase, '-f', file], { stdio: 'pipe' });
}

/**
 * Null if a server can accept a password. It reads a list of accounts that only it sees, in which
 * this user's password is ours. This machine's accounts don't change.
 */
export const passwordUnavailable: string | null =
  process.platform !== 'linux' || process.getuid?.() !== 0
    ? 'run as root on Linux'
    : spawnSync('unshare', ['--mount', '--propagation', 'private', 'true']).status === 0
      ? null
      : 'this machine lets nobody have mounts of their own';

/** `$1` is mounted over the list of passwords. */
const withPasswords = 'mount --bind "$1" /etc/shadow && shift && exec "$@"';

/**
 * @param options lines for sshd_config.
 * @param password of this user, for this server only.
 */
export async function startSshd(home: SshHome, options = '', password: string | null = null): Promise<SshServer> {
  const folder = mkdtempSync(join(home.folder, 'sshd-'));
  const port = await freePort();
  const file = (name: string): string => join(folder, name);
  const newHostKey = (): void => {
    for (const name of ['host', 'host.pub']) rmSync(file(name), { force: true });
    makeKey(file('host'), '');
  };
  newHostKey();
  for (const key of [home.keyFile, home.lockedKeyFile])
    writeFileSync(file('authorized'), readFileSync(`${key}.pub`), { flag: 'a', mode: 0o600 });
  writeFileSync(
    file('config'),
    // sshd uses the first value that it finds.
    `${options}
Port ${port}
ListenAddress 127.0.0.1
HostKey ${file('host')}
PidFile none
AuthorizedKeysFile ${file('authorized')}
StrictModes no
UsePAM no
PermitRootLogin yes
PasswordAuthentication no
KbdInteractiveAuthentication no
`,
  );
  if (password !== null) {
    const hash = execFileSync('openssl', ['passwd', '-6', '-stdin'], { input: password, encoding: 'utf8' }).trim();
    writeFileSync(file('shadow'), `${home.user}:${hash}:19000:0:99999:7:::\n`, { mode: 0o600 });
  }
  const alone = ['--mount', '--propagation', 'private', 'sh', '-c', withPasswords, 'sh', file('shadow')];
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 });
  let running: ChildProcess | null = null;
  const server: SshServer = {
    port,
    place: `${home.user}@127.0.0.1:${port}`,
    get fingerprint() {
      const printed = execFileSync('ssh-keygen', ['-l', '-f', file('host.pub')], { encoding: 'utf8' });
      return printed.split(' ')[1] ?? '';
    },
    trust() {
      const [type, key] = readFileSync(file('host.pub'), 'utf8').split(' ');
      writeFileSync(home.knownHosts, `[127.0.0.1]:${port} ${type} ${key}\n`, { flag: 'a' });
    },
    log: () => readFileSync(file('log'), 'utf8'),
    async kill() {
      const child = running;
      running = null;
      if (child?.pid === undefined) return;
      const ended = new Promise(resolve => child.once('exit', resolve));
      // Its sessions are its children, each in its own group.
      for (const pid of descendants(child.pid)) killed(pid);
      await ended;
    },
    async start(hostKey = 'same') {
      if (hostKey === 'another') newHostKey();
      const sshd = [join(sshdFolder ?? '', 'sshd'), '-D', '-f', file('config'), '-E', file('log')] as const;
      running = password === null ? started(sshd[0], sshd.slice(1)) : started('unshare', [...alone, ...sshd]);
      await until(() => listens(port), 'sshd listens');
    },
  };
  await server.start();
  return server;
}

/** Ends with this process, however that ends. */
function started(program: string, words: readonly string[], more: NodeJS.ProcessEnv = {}): ChildProcess {
  const script = '(read -r line <&3; kill -TERM $$) & exec "$@" 3<&-';
  const child = spawn('/bin/sh', ['-c', script, 'sh', program, ...words], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...more },
  });
  child.once('exit', () => child.stdio[3]?.destroy());
  return child;
}

function killed(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended since it was listed.
  }
}

function descendants(pid: number): number[] {
  const rows = execFileSync('ps', ['-A', '-o', 'pid=', '-o', 'ppid='], { encoding: 'utf8' }).trim().split('\n');
  const pairs = rows.map(row =>
    row
      .trim()
      .split(/ {1,9}/)
      .map(Number),
  );
  const below = (parent: number): number[] =>
    pairs.filter(([, of]) => of === parent).flatMap(([child = 0]) => [...below(child), child]);
  return [...below(pid), pid];
}

function listens(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
