/**
 * The process that the keychain's native module runs in: a prompt nobody answers holds one of its
 * threads, and only its own end frees that; a crash in the module ends here and not in the daemon.
 * Does one call per message, and decides nothing.
 */

import '../../../shared/debugger-shut.ts';

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type KeychainAnswer, type KeychainCall, keychainName } from '../../../shared/keychain-call.ts';

/** What is used of the native module; no other file names it. */
interface KeychainModule {
  readonly AsyncEntry: new (
    service: string,
    account: string,
    options: { readonly linux: { readonly store: 'secret-service' } },
  ) => KeychainEntry;
}

interface KeychainEntry {
  /** Null when there is no such item, and with some Secret Services also when they are locked. */
  getPassword(): Promise<string | null>;
  setPassword(value: string): Promise<void>;
  deletePassword(): Promise<boolean>;
}

const moduleName: string = '@napi-rs/keyring';

/**
 * Else it takes the kernel's keyring where it finds no Secret Service, and the next boot empties
 * that.
 */
const pinned = { linux: { store: 'secret-service' } } as const;

/** @throws what `import` throws, where the module has no build for this machine. */
async function loadKeychainModule(): Promise<KeychainModule> {
  // An optional dependency has types only where it is installed, so they stand here and not in an
  // import.
  const loaded: { default: KeychainModule } = await import(moduleName);
  return loaded.default;
}

const loading: Promise<KeychainModule | Error> = loadKeychainModule().catch((error: unknown) => asError(error));

// Ctrl-C in the daemon's terminal reaches us too, while the daemon still has something to write.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
// Not process.exit: it waits for the thread that waits for the keychain.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));

process.on('message', (call: KeychainCall) => {
  void answer(call).then(told => process.send?.(told));
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
 * How the module begins what it says of a Secret Service that is locked and whose window was
 * closed, or that has none.
 */
const refusedAccess = "Couldn't access platform storage: Secret Service:";

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');
const mostLeft = 32;
let calls = 0;

/**
 * Each entry has a connection to the bus of its own, which its collection closes: a burst of calls
 * would meet the bus's limit.
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
