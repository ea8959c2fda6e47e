/**
 * The native module behind the keychain, and its three calls: the only file that names it. Judges nothing, least of all what a
 * null means. `findCredentials` is left out on purpose: it crashes the process when the Secret Service is locked.
 */

export interface KeychainModule {
  /** Null when there is no such item, and also when a Secret Service is locked. */
  getPassword(service: string, account: string): Promise<string | null>;
  setPassword(service: string, account: string, value: string): Promise<void>;
  deletePassword(service: string, account: string): Promise<boolean>;
}

/** `@napi-rs/keyring/keytar.js` has the same three calls. */
const moduleName: string = 'keytar';

/** @throws what `import` throws, where the module was not built or lacks its library. */
export async function loadKeychainModule(): Promise<KeychainModule> {
  // An optional dependency has types only where it was built, so they stand here and not in an import.
  const loaded: { default: KeychainModule } = await import(moduleName);
  return loaded.default;
}
