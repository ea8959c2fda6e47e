/**
 * Asks the login keychain for one item, in a separate process that is ended in any case (spec §1).
 * Writes nothing to it.
 */

import { type KeychainAnswer, type KeychainEnvironment, keychainEnvironment } from '../shared/keychain-call.ts';
import { startKeychain } from '../shared/start-keychain.ts';

type KeychainItem =
  | { readonly kind: 'found'; readonly value: string }
  /** Some locked keychains also show no item. `why` as below. */
  | { readonly kind: 'missing'; readonly why: string }
  /** `why` completes "The keychain can't be read: …". */
  | { readonly kind: 'unusable'; readonly why: string };

interface KeychainItemOptions {
  readonly account: string;
  readonly environment: KeychainEnvironment;
  /** How long a window that asks for the keychain's password may stay open. */
  readonly waitMilliseconds?: number;
  /** The compiled keychain-worker; tests may name another. */
  readonly workerFile?: string;
}

const patienceMilliseconds = 10_000;

export function keychainItem(options: KeychainItemOptions): Promise<KeychainItem> {
  const { account, environment, waitMilliseconds = patienceMilliseconds } = options;
  return new Promise(resolve => {
    const worker = startKeychain(keychainEnvironment(environment), options.workerFile);
    const finish = (item: KeychainItem): void => {
      clearTimeout(deadline);
      worker.kill('SIGKILL');
      resolve(item);
    };
    const unusable = (why: string): void => finish({ kind: 'unusable', why });
    const deadline = setTimeout(
      () => unusable(`it gave no answer within ${waitMilliseconds / 1000} s; look for a window that asks you`),
      waitMilliseconds,
    );
    worker.on('error', error => unusable(`its process failed (${error.message})`));
    worker.on('exit', (code, signal) => unusable(`its process ended with ${signal ?? `code ${code}`}`));
    worker.on('message', (answer: KeychainAnswer) => finish(itemIn(answer)));
    worker.send({ call: 'get', account }, error => {
      if (error !== null) unusable(`its process can't be reached (${error.message})`);
    });
  });
}

function itemIn(answer: KeychainAnswer): KeychainItem {
  if (answer.kind === 'no_module')
    return { kind: 'unusable', why: `the module that speaks to it can't be loaded (${answer.problem})` };
  if (answer.kind === 'locked') return { kind: 'unusable', why: 'it is locked' };
  if (answer.kind === 'failed') return { kind: 'unusable', why: answer.problem };
  if (answer.value === null)
    return { kind: 'missing', why: 'it is locked, or it is not the one that this Sallyport uses' };
  return { kind: 'found', value: answer.value };
}
