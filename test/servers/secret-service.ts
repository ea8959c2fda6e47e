/**
 * A private Secret Service for tests: a gnome-keyring on a D-Bus of its own, with its keyring in a
 * temporary folder. A process with its `environment` finds only this one. It ends with the test
 * process, however that ends.
 */

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { programFile } from '../../shared/programs.ts';
import { until } from '../waiting/until.ts';

const run = promisify(execFile);

export interface SecretService {
  /** For the processes that should find it. */
  readonly environment: Readonly<Record<string, string>>;
  /**
   * Locks the login keyring. gnome-keyring then asks for its password, and this bus has nothing to
   * ask with.
   */
  lock(): Promise<void>;
  /** Ends the keyring's process. */
  end(): Promise<void>;
  /** Starts it again with its data from disk. */
  begin(keyring: 'unlocked' | 'locked'): Promise<void>;
  /** Freezes it (SIGSTOP): it accepts calls and answers none, like one that waits for a person. */
  pause(): void;
  resume(): void;
  /** The keyring's file, for a search for plaintext. */
  bytesOnDisk(): Buffer;
  /** Idempotent; leaves no process and no folder. */
  stop(): Promise<void>;
}

/** Null, or a sentence with the command that installs what is missing. */
export function missingForSecretService(): string | null {
  if (process.platform !== 'linux') return 'there is a Secret Service on Linux only';
  const programs = ['dbus-daemon', 'dbus-send', 'gnome-keyring-daemon'].filter(name => !isOnPath(name));
  const what = programs.length > 0 ? programs.join(', ') : keyringIsMissing() ? '@napi-rs/keyring' : null;
  if (what !== null) return `${what} is missing: sh test/install/secret-service.sh && make build`;
  return existsSync(programFile('keychain-worker')) ? null : 'the keychain program is not built: make build';
}

export async function startSecretService(): Promise<SecretService> {
  // Short, since it is part of the bus's socket path, which is limited to 107 bytes.
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-keyring-'));
  const guard = spawn('/bin/sh', ['-c', guardScript, 'guard', folder], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  guard.unref();
  const stop = async (): Promise<void> => {
    if (guard.exitCode !== null) return;
    guard.ref();
    const ended = new Promise(resolve => guard.once('exit', resolve));
    guard.stdin?.end();
    await ended;
  };
  try {
    return { ...(await startIn(folder)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startIn(folder: string): Promise<Omit<SecretService, 'stop'>> {
  for (const name of ['run', 'data', 'config', 'cache']) mkdirSync(join(folder, name), { mode: 0o700 });
  writeFileSync(join(folder, 'bus.conf'), busConfiguration(folder));
  const environment = {
    HOME: folder,
    XDG_RUNTIME_DIR: join(folder, 'run'),
    XDG_DATA_HOME: join(folder, 'data'),
    XDG_CONFIG_HOME: join(folder, 'config'),
    XDG_CACHE_HOME: join(folder, 'cache'),
    DBUS_SESSION_BUS_ADDRESS: `unix:path=${join(folder, 'bus')}`,
    PATH: process.env.PATH ?? '/usr/bin:/bin',
  };
  const options = { env: environment, cwd: '/', detached: true } as const;
  const bus = spawn('dbus-daemon', ['--nofork', '--nopidfile', `--config-file=${join(folder, 'bus.conf')}`], {
    ...options,
    stdio: 'ignore',
  });
  remember(folder, bus);
  await until(() => existsSync(join(folder, 'bus')), 'the bus listens');

  const call = (...parameters: readonly string[]) =>
    run('dbus-send', ['--session', '--print-reply', '--reply-timeout=5000', ...parameters], { env: environment });
  let keyring: ChildProcess | null = null;

  async function begin(state: 'unlocked' | 'locked'): Promise<void> {
    const unlock = state === 'unlocked' ? ['--unlock'] : [];
    const started = spawn('gnome-keyring-daemon', ['--foreground', '--components=secrets', ...unlock], {
      ...options,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    keyring = started;
    remember(folder, started);
    started.stdin?.end('the password of a test keyring');
    const wanted = state === 'unlocked' ? /boolean false/ : /boolean true/;
    await until(async () => wanted.test((await call(...isLocked)).stdout), 'the keyring answers');
  }

  await begin('unlocked');
  return {
    environment,
    begin,
    async lock() {
      await call(secrets, servicePath, 'org.freedesktop.Secret.Service.Lock', `array:objpath:${loginPath}`);
    },
    async end() {
      const ending = keyring;
      if (ending === null || ending.exitCode !== null) return;
      const ended = new Promise(resolve => ending.once('exit', resolve));
      ending.kill('SIGTERM');
      await ended;
    },
    pause: () => void keyring?.kill('SIGSTOP'),
    resume: () => void keyring?.kill('SIGCONT'),
    bytesOnDisk() {
      const keyrings = join(folder, 'data', 'keyrings');
      return Buffer.concat(readdirSync(keyrings).map(name => readFileSync(join(keyrings, name))));
    },
  };
}

const secrets = '--dest=org.freedesktop.secrets';
const servicePath = '/org/freedesktop/secrets';
const loginPath = '/org/freedesktop/secrets/collection/login';
const isLocked = [
  secrets,
  loginPath,
  'org.freedesktop.DBus.Properties.Get',
  'string:org.freedesktop.Secret.Collection',
  'string:Locked',
];

/**
 * Without a folder of services no message starts anything: neither a second keyring nor a window
 * that asks.
 */
function busConfiguration(folder: string): string {
  return `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN" "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:path=${join(folder, 'bus')}</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
`;
}

/**
 * Outlives a killed test process: when its standard input closes, it ends what was started and
 * removes the folder. It continues a stopped process first, since that never sees the signal
 * otherwise.
 */
const guardScript = `
trap '' INT TERM HUP
read _
for pid in $(ls "$1/pids" 2>/dev/null); do kill -TERM "$pid" 2>/dev/null; kill -CONT "$pid" 2>/dev/null; done
tries=0
for pid in $(ls "$1/pids" 2>/dev/null); do
  while kill -0 "$pid" 2>/dev/null && [ $tries -lt 100 ]; do sleep 0.05; tries=$((tries + 1)); done
  kill -KILL "$pid" 2>/dev/null
done
rm -rf "$1"
`;

/**
 * For the guard. The id is forgotten once the process has ended by itself, since it may then be
 * another's.
 */
function remember(folder: string, child: ChildProcess): void {
  if (child.pid === undefined) return;
  const mark = join(folder, 'pids', String(child.pid));
  mkdirSync(join(folder, 'pids'), { recursive: true });
  writeFileSync(mark, '');
  child.once('exit', () => rmSync(mark, { force: true }));
  child.unref();
}

function isOnPath(name: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some(folder => {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Only looks for it: another process loads it. */
function keyringIsMissing(): boolean {
  try {
    createRequire(import.meta.url).resolve('@napi-rs/keyring');
    return false;
  } catch {
    return true;
  }
}
