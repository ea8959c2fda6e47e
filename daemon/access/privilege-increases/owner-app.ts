/**
 * Whether Sallyport.app speaks for the owner of this store (spec §11): on macOS only, and only by a
 * shell secret that has never stood in a file. Anywhere else a shell's word that it is the app
 * counts for nothing. What it confirms is not decided here.
 */

import { keychainMark } from '../../../shared/keychain-call.ts';
import { type SecretStore, SecretStoreUnavailable } from '../secret-store.ts';

interface OwnerAppStore {
  load(): Promise<boolean>;
  save(): Promise<void>;
}

interface OwnerAppPorts {
  /** As Node names it. */
  readonly platform: string;
  readonly secrets: Pick<SecretStore, 'backend'>;
  readonly store: OwnerAppStore;
}

export interface OwnerApp {
  /**
   * It has connected to this store once, so there is somebody to ask: over restarts, and whether it
   * runs now or not.
   */
  isKnown(): boolean;
  /** @param shell as a shell calls itself that has proved itself by this secret. */
  isApp(shell: string, shellSecret: string): boolean;
  /** @returns whether it is the first time. */
  connected(): Promise<boolean>;
}

/** As Sallyport.app calls itself on the control socket. */
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
      // Even where it can't be kept: the next time it comes it is tried again.
      wasSeen = true;
      await store.save();
      isKept = true;
      return true;
    },
  };
}

/**
 * The secret that shells prove themselves by (spec §11): made once for a store, read at each start;
 * and once more where it came to the keychain from a file, which others may have read. @throws
 * SecretStoreUnavailable
 */
export async function shellSecret(secrets: SecretStore, newSecret: () => string): Promise<string> {
  const known = await secrets.read('shell', 'secret');
  if (known.kind === 'found' && known.value !== '' && (secrets.backend === 'file' || wasMadeInKeychain(known.value)))
    return known.value;
  // Never made anew while the store can't be read: shells would be locked out of the secret that is
  // still in it.
  if (known.kind === 'unavailable') throw new SecretStoreUnavailable(known.problem);
  return secrets.makeShellSecret(secrets.backend === 'keychain' ? `${keychainMark}${newSecret()}` : newSecret());
}
