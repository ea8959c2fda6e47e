/**
 * Checks whether the secrets of this home are where its store keeps them, and can be read (spec
 * §1). Shows none, changes nothing.
 */

import { existsSync } from 'node:fs';
import { type KeychainEnvironment, shellSecretAccount } from '../../shared/keychain-call.ts';
import type { Locations } from '../../shared/locations.ts';
import { readPrivateFile } from '../../shared/private-files.ts';
import { readStoreRecord } from '../../shared/store-record.ts';
import { keychainItem } from '../keychain-item.ts';
import { readShellSecret } from '../shell-secret.ts';
import { type Check, ok, problem } from './check.ts';

export async function checkSecrets(
  { secrets, store: database, storeRecord }: Pick<Locations, 'secrets' | 'store' | 'storeRecord'>,
  environment: KeychainEnvironment,
): Promise<Check> {
  const read = readStoreRecord(storeRecord);
  if (read.kind === 'absent') return withoutRecord(secrets, existsSync(database));
  if (read.kind === 'unusable')
    return problem('secrets', `Can't read where they are: ${read.problem}`, `remove ${storeRecord}, then ${restart}`);
  const { store, secrets: place } = read.record;
  if (place === 'file') return checkFile(secrets, store);
  const item = await keychainItem({ account: shellSecretAccount(store), environment });
  if (item.kind === 'found') return ok('secrets', 'In the keychain, which is open.');
  const unlock = 'unlock it (log in to the desktop, or open its password manager), then run doctor again';
  return problem('secrets', `In the keychain, which can't be read: ${item.why.replace(/\.$/, '')}.`, unlock);
}

function withoutRecord(secrets: string, hasDatabase: boolean): Check {
  if (!hasDatabase && !existsSync(secrets))
    return ok('secrets', 'None yet; the first start decides where they are kept.');
  if (existsSync(secrets)) return ok('secrets', 'Probably in secrets.json; the next start decides.');
  return problem(
    'secrets',
    'store.json, which says where they are, is missing, and so is secrets.json.',
    `put back the ${secrets} that belongs to this home; if they are in the keychain, \`sallyport start\` finds them`,
  );
}

const restart = '`sallyport stop`, then `sallyport start`';
const maxSecretsBytes = 64 * 1024 * 1024;

function checkFile(path: string, storeId: string): Check {
  const restore = `put back the ${path} that belongs to this home`;
  const file = readPrivateFile(path, maxSecretsBytes);
  if (file.kind === 'absent')
    return problem('secrets', `${path} is missing, and with it tokens, passwords and the activity log's key.`, restore);
  if (file.kind === 'untrusted') return problem('secrets', `${file.problem}.`, `make it a file of yours with mode 600`);
  const found = readShellSecret(path);
  if (found.kind === 'unusable') return problem('secrets', `${path} is damaged, or of a newer Sallyport.`, restore);
  if (storeIn(file.text) !== storeId) return problem('secrets', `${path} belongs to another home.`, restore);
  if (found.kind === 'absent') return problem('secrets', `${path} has no secret for this command.`, restart);
  return ok('secrets', 'In secrets.json, which any program that runs as you can read.');
}

/** @param text valid JSON, read before. */
function storeIn(text: string): unknown {
  const content: { readonly store?: unknown } = JSON.parse(text);
  return content.store;
}
