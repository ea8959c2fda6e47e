/**
 * The process that the keychain's native module runs in: a prompt nobody answers holds one of its threads, and only its own end
 * frees that; a crash in the module ends here and not in the daemon. Does one call per message, and decides nothing.
 */

import '../../../shared/debugger-shut.ts';

import { type KeychainAnswer, type KeychainCall, keychainName } from '../../../shared/keychain-call.ts';

/**
 * The native module's three calls; no other file names it. `findCredentials` is left out on purpose: it crashes the process when
 * the Secret Service is locked.
 */
interface KeychainModule {
  /** Null when there is no such item, and also when a Secret Service is locked. */
  getPassword(service: string, account: string): Promise<string | null>;
  setPassword(service: string, account: string, value: string): Promise<void>;
  deletePassword(service: string, account: string): Promise<boolean>;
}

/** `@napi-rs/keyring/keytar.js` has the same three calls. */
const moduleName: string = 'keytar';

/** @throws what `import` throws, where the module was not built or lacks its library. */
async function loadKeychainModule(): Promise<KeychainModule> {
  // An optional dependency has types only where it was built, so they stand here and not in an import.
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
  const keychain = await loading;
  if (keychain instanceof Error) return { kind: 'no_module', problem: onOneLine(keychain) };
  try {
    return { kind: 'done', value: await perform(keychain, call) };
  } catch (error) {
    return { kind: 'failed', problem: onOneLine(asError(error)) };
  }
}

async function perform(keychain: KeychainModule, call: KeychainCall): Promise<string | null> {
  switch (call.call) {
    case 'get':
      return keychain.getPassword(keychainName, call.account);
    case 'set':
      await keychain.setPassword(keychainName, call.account, call.value);
      return null;
    case 'delete':
      await keychain.deletePassword(keychainName, call.account);
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
