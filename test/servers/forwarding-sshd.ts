/**
 * A private OpenSSH server for tests: own port on 127.0.0.1, own host key, one key that may sign in, and a client that reads no file of
 * the machine's. It ends with the test, or with the test process.
 */

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { folderOf } from '../missing-programs.ts';
import { freePort } from './free-port.ts';

export interface SshServer {
  readonly port: number;
  /** What `ssh` and `scp` need to come in as this user, without a question and without the machine's own files. */
  readonly clientWords: readonly string[];
  /** What it has said. */
  log(): string;
  stop(): Promise<void>;
}

/** @returns null where it is installed. */
export function sshdUnavailable(): string | null {
  if (folderOf(['sshd'], ['/usr/sbin']) !== null && folderOf(['ssh', 'ssh-keygen']) !== null) return null;
  return 'no sshd; apt-get install openssh-server';
}

export async function startSshd(): Promise<SshServer> {
  // `realpath` for StrictModes and for short names of forwarded sockets.
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sallyport-sshd-')));
  const port = await freePort();
  const make = (name: string) =>
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', '', '-f', join(folder, name)]);
  make('host');
  make('client');
  const at = (name: string) => join(folder, name);
  writeFileSync(at('authorized'), readFileSync(at('client.pub')), { mode: 0o600 });
  const [type, key] = readFileSync(at('host.pub'), 'utf8').split(' ');
  writeFileSync(at('known'), `[127.0.0.1]:${port} ${type} ${key?.trim()}\n`);
  writeFileSync(
    at('sshd_config'),
    [
      ...['ListenAddress 127.0.0.1', `Port ${port}`, `HostKey ${at('host')}`, `AuthorizedKeysFile ${at('authorized')}`],
      ...['PidFile none', 'UsePAM no', 'PasswordAuthentication no', 'PermitRootLogin yes', 'StrictModes no', ''],
    ].join('\n'),
  );
  // Where it runs as root it wants a folder that its package makes at boot.
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 });
  const sshd = join(folderOf(['sshd'], ['/usr/sbin']) ?? '', 'sshd');
  // It starts itself anew for each session, so it wants its whole path.
  const child = spawn(sshd, ['-D', '-e', '-f', at('sshd_config')], { stdio: ['ignore', 'ignore', 'pipe'] });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  let said = '';
  await new Promise<void>((resolve, reject) => {
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-64 * 1024);
      if (said.includes('Server listening on')) resolve();
    });
    child.once('exit', () => reject(new Error(`sshd did not start: ${said}`)));
  });
  return {
    port,
    clientWords: [
      // No file of the user's, nor of the system's.
      ...['-F', 'none', '-i', at('client'), '-o', 'IdentitiesOnly=yes', '-o', 'IdentityAgent=none'],
      ...['-o', `UserKnownHostsFile=${at('known')}`, '-o', 'GlobalKnownHostsFile=none', '-o', 'BatchMode=yes'],
      ...['-p', `${port}`, '-l', userInfo().username],
    ],
    log: () => said,
    async stop() {
      process.removeListener('exit', kill);
      if (child.exitCode === null && child.signalCode === null) {
        const ended = once(child, 'exit');
        child.kill('SIGTERM');
        await ended;
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
