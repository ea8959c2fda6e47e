/**
 * Whether Sallyport.app speaks for this store's owner (spec §11): only on macOS, and only by a
 * shell secret that was never in a file. Anywhere else a shell that calls itself the app isn't
 * believed. Others decide what it confirms.
 */

import { keychainMark } from '../../../shared/keychain-call.ts';
import { type SecretStore, SecretStoreUnavailable } from '../secret-store.ts';

interface OwnerAppStore {
  load(): Promise<boolean>;
  save(): Promise<void>;
}

interface OwnerAppPorts {
  /** Node's word for it. */
  readonly platform: string;
  readonly secrets: Pick<SecretStore, 'backend'>;
  readonly store: OwnerAppStore;
}

export interface OwnerApp {
  /**
   * True once it has connected to this store, over restarts and whether or not it runs now: there
   * is somebody to ask.
   */
  isKnown(): boolean;
  /** @param shell the name of a shell that has proved itself by this secret. */
  isApp(shell: string, shellSecret: string): boolean;
  /** @returns whether this is the first time. */
  connected(): Promise<boolean>;
}

/** Sallyport.app's name on the control socket. */
const appShell = 'app';

function wasMadeInKeychain(shellSecret: string): boolean {
  return shellSecret.startsWith(keychainMark);
}

export async function loadOwnerApp({ platform, secrets, store }: OwnerAppPorts): Promise<OwnerApp> {
  let isKept = await store.load();
  let wasSeen = isKept;
  const mayBeHere = (): boolean => platform === 'darwin' && secrets.backend === 'keychain';
  return {
    isKnown: () => wasSeen && mayBeHere(),
    isApp: (shell, shellSecret) => shell === appShell && mayBeHere() && wasMadeInKeychain(shellSecret),
    async connected() {
      if (isKept) return false;
      // Set even if it can't be kept; the app's next connection tries again.
      wasSeen = true;
      await store.save();
      isKept = true;
      return true;
    },
  };
}

/**
 * The secret that shells prove themselves by (spec §11): made once per store and read at each
 * start. It is made anew if it came to the keychain from a file, which others may have read.
 * @throws SecretStoreUnavailable
 */
export async function shellSecret(secrets: SecretStore, newSecret: () => string): Promise<string> {
  const known = await secrets.read('shell', 'secret');
  if (known.kind === 'found' && known.value !== '' && (secrets.backend === 'file' || wasMadeInKeychain(known.value)))
    return known.value;
  // Never made anew while the store can't be read: shells with the old secret would be locked out.
  if (known.kind === 'unavailable') throw new SecretStoreUnavailable(known.problem);
  return secrets.makeShellSecret(secrets.backend === 'keychain' ? `${keychainMark}${newSecret()}` : newSecret());
}
