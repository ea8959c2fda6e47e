/**
 * The composition root of `sallyportd`: takes the lock, wires the rooms in the order of spec §2,
 * and undoes it in reverse.
 */

import { version } from '../shared/version.ts';
import { startDaemon } from './daemon.ts';
import { forgetForeignSettings } from './processes/environment.ts';

/** `sallyport stop` waits longer. */
const lastMilliseconds = 5_000;

/**
 * No module awaits while it loads: V8 keeps compiled code only for CommonJS, which can't wait
 * (shared/start-built.ts).
 */
export async function main(): Promise<void> {
  if (process.argv.includes('--version')) {
    process.stdout.write(`sallyportd ${version}\n`);
  } else if (process.argv.length > 2) {
    process.stderr.write('sallyportd takes no arguments but --version; `sallyport` is the command for people.\n');
    process.exitCode = 2;
  } else {
    // Before anything is created: every file and socket is private (spec §1).
    process.umask(0o077);
    forgetForeignSettings(process.env);
    process.exitCode = await startDaemon(process.env);
    // All is closed. Only a signal ends a process that waits for a disk which never answers, and
    // systemd doesn't start one anew that this signal ended.
    setTimeout(() => {
      process.removeAllListeners('SIGTERM');
      process.kill(process.pid, 'SIGTERM');
    }, lastMilliseconds).unref();
  }
}
