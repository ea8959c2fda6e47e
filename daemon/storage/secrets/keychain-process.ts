/**
 * The keychain as the daemon sees it: calls to a process of its own. The first call starts it; it
 * ends when idle and is given up when it hangs. Passes on the keychain's answers unjudged:
 * keychain-secret-store.ts decides what a null means.
 */

import type { KeychainAnswer, KeychainCall } from '../../../shared/keychain-call.ts';
import { type KeychainWorker, startKeychain } from '../../../shared/start-keychain.ts';
import { SecretStoreUnavailable } from '../../access/secret-store.ts';
import { oneAtATime } from '../../one-at-a-time.ts';
import { hasSessionBus } from './session-bus.ts';

/** Time limits of keychain calls. */
const keychainLimits = {
  /**
   * Spec §1: nobody may answer the prompt. After this time the caller gets "unavailable", and the
   * prompt stays open.
   */
  callSeconds: 10,
  /** A prompt open for so long is given up together with its process. */
  stuckSeconds: 120,
  /** The process takes 40 MB, and starting another takes some 60 ms. */
  idleSeconds: 30,
} as const;

export type KeychainLimits = { readonly [Name in keyof typeof keychainLimits]: number };

/** Calls run one after another. All but `close` throw SecretStoreUnavailable. */
export interface Keychain {
  /** @returns null if there is no such item; some Secret Services return null when locked, too. */
  get(account: string): Promise<string | null>;
  set(account: string, value: string): Promise<void>;
  /** Doesn't say whether there was such an item. */
  delete(account: string): Promise<void>;
  /** Resolves once the process is gone. A later call starts another. */
  close(): Promise<void>;
}

interface KeychainOptions {
  /** As `keychainEnvironment` gives it. */
  readonly environment: Readonly<Record<string, string>>;
  readonly limits?: KeychainLimits;
  /** The compiled keychain-worker; tests pass another. */
  readonly workerFile?: string;
}

interface Pending {
  resolve(answer: KeychainAnswer): void;
  reject(error: SecretStoreUnavailable): void;
}

export function openKeychain(options: KeychainOptions): Keychain {
  const limits = options.limits ?? keychainLimits;
  const inTurn = oneAtATime();
  let child: KeychainWorker | null = null;
  let pending: Pending | null = null;
  let deadline: NodeJS.Timeout | undefined;
  let idle: NodeJS.Timeout | undefined;

  function start(): KeychainWorker {
    const started = startKeychain(options.environment, options.workerFile);
    started.on('message', (answer: KeychainAnswer) => hear(started, answer));
    started.on('error', error => ended(started, `its process failed: ${error.message}`));
    started.on('exit', (code, signal) => ended(started, `its process ended with ${signal ?? `code ${code}`}`));
    return started;
  }

  function hear(from: KeychainWorker, answer: KeychainAnswer): void {
    if (from !== child) return;
    clearTimeout(deadline);
    if (answer.kind === 'done') rest(from);
    else giveUp();
    pending?.resolve(answer);
    pending = null;
  }

  function rest(resting: KeychainWorker): void {
    resting.unref();
    resting.channel?.unref();
    idle = setTimeout(giveUp, limits.idleSeconds * 1000).unref();
  }

  function giveUp(): void {
    clearTimeout(idle);
    child?.kill('SIGKILL');
    child = null;
  }

  function ended(which: KeychainWorker, how: string): void {
    if (which !== child) return;
    child = null;
    clearTimeout(idle);
    clearTimeout(deadline);
    pending?.reject(unavailable(how));
    pending = null;
  }

  function ask(call: KeychainCall): Promise<KeychainAnswer> {
    if (pending !== null) throw unavailable('it has not answered an earlier call yet; look for a window that asks you');
    clearTimeout(idle);
    child ??= start();
    child.ref();
    child.channel?.ref();
    child.send(call, error => {
      if (error !== null && child !== null) ended(child, `its process can't be reached: ${error.message}`);
    });
    return new Promise((resolve, reject) => {
      pending = { resolve, reject };
      deadline = setTimeout(onDeadline, limits.callSeconds * 1000);
    });
  }

  /**
   * The call goes on: killing its process would close the window in which the person is typing a
   * password.
   */
  function onDeadline(): void {
    const stuck = child;
    pending?.reject(unavailable(`it gave no answer within ${limits.callSeconds} s; look for a window that asks you`));
    pending = { resolve() {}, reject() {} };
    stuck?.unref();
    stuck?.channel?.unref();
    deadline = setTimeout(() => {
      giveUp();
      pending = null;
    }, limits.stuckSeconds * 1000).unref();
  }

  async function perform(call: KeychainCall): Promise<string | null> {
    if (child === null && process.platform === 'linux' && !hasSessionBus(options.environment))
      throw unavailable(noSessionBus);
    const answer = await ask(call);
    if (answer.kind === 'done') return answer.value;
    if (answer.kind === 'locked') throw new SecretStoreUnavailable(lockedSentence);
    if (answer.kind === 'failed') throw unavailable(answer.problem);
    throw unavailable(`the module that speaks to it is not installed or can't be loaded: ${answer.problem}`);
  }

  return {
    get: account => inTurn(() => perform({ call: 'get', account })),
    set: async (account, value) => {
      await inTurn(() => perform({ call: 'set', account, value }));
    },
    delete: async account => {
      await inTurn(() => perform({ call: 'delete', account }));
    },
    async close() {
      const closing = child;
      if (closing === null) return;
      const gone = new Promise<unknown>(resolve => closing.once('exit', resolve));
      closing.ref();
      closing.kill('SIGKILL');
      await gone;
    },
  };
}

const lockedSentence =
  'The keychain is locked; unlock it (log in to the desktop, or open its password manager) and try again. Nothing in it was changed.';

const noSessionBus =
  "it is reached by a session bus (D-Bus), and the daemon sees none: it looks where a login puts it, at /run/user/UID/bus, and not into a terminal's DBUS_SESSION_BUS_ADDRESS";

function unavailable(why: string): SecretStoreUnavailable {
  return new SecretStoreUnavailable(`The keychain can't be used: ${why}.`);
}
