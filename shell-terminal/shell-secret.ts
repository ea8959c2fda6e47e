/**
 * Finds the secret by which this shell proves itself, in the home's one place for secrets (spec
 * §1). Changes nothing.
 */

import { isObject, parsedJson } from '../shared/json.ts';
import { type KeychainEnvironment, shellSecretAccount } from '../shared/keychain-call.ts';
import type { Locations } from '../shared/locations.ts';
import { readPrivateFile, untrustedFile } from '../shared/private-files.ts';
import { readStoreRecord } from '../shared/store-record.ts';
import { keychainItem } from './keychain-item.ts';

type ShellSecret =
  | { readonly kind: 'found'; readonly secret: string }
  /** No daemon has made one in this home yet. */
  | { readonly kind: 'absent' }
  | { readonly kind: 'unusable'; readonly problem: string };

const maxSecretsBytes = 64 * 1024 * 1024;

/**
 * Never looks in the other place: if a store keeps its secrets in the keychain, a file beside it
 * isn't ours.
 */
export async function findShellSecret(
  locations: Pick<Locations, 'secrets' | 'storeRecord'>,
  environment: KeychainEnvironment,
): Promise<ShellSecret> {
  const read = readStoreRecord(locations.storeRecord);
  if (read.kind === 'absent') return { kind: 'absent' };
  if (read.kind === 'unusable')
    return { kind: 'unusable', problem: `Can't read where the secrets are: ${read.problem}` };
  if (read.record.secrets === 'file') return readShellSecret(locations.secrets);
  const item = await keychainItem({ account: shellSecretAccount(read.record.store), environment });
  if (item.kind === 'found') return { kind: 'found', secret: item.value };
  return {
    kind: 'unusable',
    problem: `The secrets of this Sallyport are in the keychain, which can't be read: ${item.why}. Unlock it (log in to the desktop, or open its password manager), then try again.`,
  };
}

/** For a home that keeps its secrets in a file. */
export function readShellSecret(secretsPath: string): ShellSecret {
  const file = readPrivateFile(secretsPath, maxSecretsBytes);
  if (file.kind === 'absent') return { kind: 'absent' };
  if (file.kind === 'untrusted')
    return { kind: 'unusable', problem: untrustedFile("The secrets can't be read", secretsPath, file.problem) };
  return secretIn(file.text, secretsPath);
}

function secretIn(text: string, path: string): ShellSecret {
  const content = parsedJson(text);
  if (!isObject(content) || content.version !== 1) {
    return {
      kind: 'unusable',
      problem: `${path} is not in the form this version of Sallyport knows; update or restore it.`,
    };
  }
  const secret = isObject(content.secrets) ? content.secrets['shell/secret'] : null;
  return typeof secret === 'string' && secret !== '' ? { kind: 'found', secret } : { kind: 'absent' };
}
