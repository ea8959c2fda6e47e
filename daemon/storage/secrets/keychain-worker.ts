/**
 * The process, or on macOS the executable's thread (shared/start-keychain.ts), that runs the
 * keychain's native module. An unanswered prompt blocks one of the process's threads until it ends,
 * and a crash of the module ends it. Does one call per message and decides nothing.
 */

import '../../../shared/debugger-shut.ts';

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parentPort } from 'node:worker_threads';
import { type KeychainAnswer, type KeychainCall, keychainName } from '../../../shared/keychain-call.ts';

/** The part of the native module that is used; no other file names it. */
interface KeychainModule {
  readonly AsyncEntry: new (
    service: string,
    account: string,
    options: { readonly linux: { readonly store: 'secret-service' } },
  ) => KeychainEntry;
}

interface KeychainEntry {
  /** @returns null if there is no such item; some Secret Services return null when locked, too. */
  getPassword(): Promise<string | null>;
  setPassword(value: string): Promise<void>;
  deletePassword(): Promise<boolean>;
}

const moduleName: string = '@napi-rs/keyring';

/**
 * Otherwise the module takes the kernel's keyring if there is no Secret Service, and a reboot
 * empties that.
 */
const pinned = { linux: { store: 'secret-service' } } as const;

/** @throws what `import` throws if the module has no build for this machine. */
async function loadKeychainModule(): Promise<KeychainModule> {
  // The types stand here because an optional dependency has types only where it is installed.
  const loaded: { default: KeychainModule } = await import(moduleName);
  return loaded.default;
}

const loading: Promise<KeychainModule | Error> = loadKeychainModule().catch((error: unknown) => asError(error));

if (parentPort === null) {
  // Ctrl-C in the daemon's terminal reaches this process too, while the daemon still has something
  // to write.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
  // process.exit would wait for the thread that waits for the keychain.
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
}

(parentPort ?? process).on('message', (call: KeychainCall) => {
  void answer(call).then(told => (parentPort === null ? process.send?.(told) : parentPort.postMessage(told)));
});

async function answer(call: KeychainCall): Promise<KeychainAnswer> {
  closeLeft();
  const keychain = await loading;
  if (keychain instanceof Error) return { kind: 'no_module', problem: onOneLine(keychain) };
  try {
    return { kind: 'done', value: await perform(keychain, call) };
  } catch (error) {
    const problem = onOneLine(asError(error));
    return problem.startsWith(refusedAccess) ? { kind: 'locked' } : { kind: 'failed', problem };
  }
}

/**
 * How the module's message begins if a Secret Service is locked and its window was closed, or if
 * there is none.
 */
const refusedAccess = "Couldn't access platform storage: Secret Service:";

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');
const mostLeft = 32;
let calls = 0;

/**
 * Each entry has its own connection to the bus until it is collected; a burst of calls would reach
 * the bus's limit.
 */
function closeLeft(): void {
  calls += 1;
  if (calls % mostLeft === 0) collectGarbage();
}

async function perform(keychain: KeychainModule, call: KeychainCall): Promise<string | null> {
  const entry = new keychain.AsyncEntry(keychainName, call.account, pinned);
  switch (call.call) {
    case 'get':
      return entry.getPassword();
    case 'set':
      await entry.setPassword(call.value);
      return null;
    case 'delete':
      await entry.deletePassword();
      return null;
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

function onOneLine(error: Error): string {
  const line = error.message.split('\n')[0] ?? '';
  return line.trim().replace(/\.$/, '').slice(0, 200);
}
