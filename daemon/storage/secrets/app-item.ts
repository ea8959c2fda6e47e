/**
 * Has the bundle's `sallyport-keychain` make the shell secret, so Sallyport.app may read it without
 * a macOS prompt. That program is of the app's team and names who may read the item
 * (shell-macos/Sources/KeychainMaker). It generates the secret itself: any program may start it,
 * and a secret chosen by its caller could be planted.
 */

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { appAround } from '../../../shared/app-bundle.ts';
import { keychainMark } from '../../../shared/keychain-call.ts';
import { isNonce } from '../../../shared/proofs.ts';
import { shownText } from '../../../shared/shown-text.ts';

/**
 * @param account has no item yet.
 * @returns the secret; null if it wasn't made, which is logged.
 */
export type MakeAppItem = (account: string, read: () => Promise<string | null>) => Promise<string | null>;

interface AppItemOptions {
  readonly platform: NodeJS.Platform;
  /** The path of the daemon's own executable. */
  readonly program: string;
  /** As `keychainEnvironment` gives it. */
  readonly environment: Readonly<Record<string, string>>;
  readonly warn: (sentence: string) => void;
  readonly patienceMilliseconds?: number;
}

/** Milliseconds, as for any call of the keychain. */
const patience = 10_000;

/** @returns null if this daemon isn't Sallyport.app's. */
export function appItemMaker(options: AppItemOptions): MakeAppItem | null {
  const app = appAround(options.platform, options.program);
  if (app === null) return null;
  const maker = join(app, 'Contents/Helpers/sallyport-keychain');

  /** @returns what went wrong. */
  function make(account: string): Promise<string | null> {
    const timeout = options.patienceMilliseconds ?? patience;
    const how = { env: { ...options.environment }, cwd: '/', timeout, killSignal: 'SIGKILL' } as const;
    return new Promise(resolve => {
      const started = execFile(maker, [account], how, (error, _said, complaint) => {
        if (error === null) resolve(null);
        else if (error.killed) resolve(`it gave no answer within ${timeout / 1000} s`);
        else resolve(shownText(complaint.split('\n')[0] ?? '').slice(0, 200) || String(error.code));
      });
      started.stdin?.end();
    });
  }

  return async (account, read) => {
    const problem = await make(account);
    const made = problem === null ? await read() : null;
    if (made?.startsWith(keychainMark) && isNonce(made.slice(keychainMark.length))) return made;
    options.warn(
      `macOS will ask once whether Sallyport.app may read its secret in the keychain, since ${maker} did not make it: ${problem ?? 'it is not there'}.`,
    );
    return null;
  };
}
