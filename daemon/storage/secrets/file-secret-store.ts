/**
 * Secrets in `secrets.json`, mode 0600, where there is no keychain service (spec §1). Each change
 * replaces the whole file. Protects against nothing that already runs as this user; `status` says
 * so.
 */

import { readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import * as z from 'zod';
import { parsedJson } from '../../../shared/json.ts';
import { readPrivateFile, untrustedFile } from '../../../shared/private-files.ts';
import { type SecretKind, type SecretStore, SecretStoreUnavailable } from '../../access/secret-store.ts';
import { oneAtATime } from '../../one-at-a-time.ts';
import { replacePrivateFile, replacePrivateFileSync } from '../atomic-file.ts';
import { assertStorableSecret } from './assert-storable-secret.ts';

const shape = z.object({
  version: z.literal(1),
  /** The store's UUID: a file of another store is not used. */
  store: z.string(),
  // A value that is no text damages one secret alone; its reader finds an empty one.
  secrets: z.record(z.string(), z.string().catch('')),
});
type SecretsFile = z.infer<typeof shape>;

const maxSecretsBytes = 64 * 1024 * 1024;

/** Call it only under the daemon's lock: it removes what a crash left of an unfinished change. */
export function openFileSecretStore(path: string, storeId: string): SecretStore {
  removeUnfinished(path);

  /**
   * The file's last content. The log's head is written before each write's answer, and parsing
   * takes longer with every connection and token.
   */
  let known: { readonly text: string; readonly content: SecretsFile } | null = null;

  function load(): SecretsFile {
    const text = readSecretsText(path);
    if (text === null) return { version: 1, store: storeId, secrets: {} };
    if (known === null || known.text !== text) known = { text, content: contentOf(path, text) };
    if (known.content.store === storeId) return known.content;
    throw new SecretStoreUnavailable(`${path} belongs to another store; put the one of this store back.`);
  }

  const inTurn = oneAtATime();

  /** @param edit returns whether there is anything to write. */
  const change = (edit: (secrets: Record<string, string>) => boolean): Promise<void> =>
    inTurn(async () => {
      const content = { ...load() };
      content.secrets = { ...content.secrets };
      if (!edit(content.secrets)) return;
      const text = textOf(content);
      await replacePrivateFile(path, text);
      known = { text, content };
    });

  const write: SecretStore['write'] = async (kind, id, value) => {
    assertStorableSecret(id, value);
    await change(secrets => {
      secrets[accountOf(kind, id)] = value;
      return true;
    });
  };

  return {
    backend: 'file',
    async read(kind, id) {
      try {
        const secrets = load().secrets;
        const account = accountOf(kind, id);
        return Object.hasOwn(secrets, account)
          ? { kind: 'found', value: secrets[account] as string }
          : { kind: 'absent' };
      } catch (error) {
        if (error instanceof SecretStoreUnavailable) return { kind: 'unavailable', problem: error.message };
        throw error;
      }
    },
    write,
    async makeShellSecret(value) {
      await write('shell', 'secret', value);
      return value;
    },
    async delete(kind, id) {
      await change(secrets => {
        const isThere = Object.hasOwn(secrets, accountOf(kind, id));
        delete secrets[accountOf(kind, id)];
        return isThere;
      });
    },
    async list(kind) {
      const start = `${kind}/`;
      return Object.keys(load().secrets)
        .filter(account => account.startsWith(start))
        .map(account => account.slice(start.length));
    },
  };
}

/**
 * @returns the id of the store that the file belongs to; null if there is no file.
 * @throws SecretStoreUnavailable if it can't be read.
 */
export function storeOfSecretsFile(path: string): string | null {
  const text = readSecretsText(path);
  return text === null ? null : contentOf(path, text).store;
}

/** Makes the file of a new store: from then on a missing file is a lost file. */
export function beginSecretsFile(path: string, storeId: string): void {
  replacePrivateFileSync(path, textOf({ version: 1, store: storeId, secrets: {} }));
}

function textOf(content: SecretsFile): string {
  return `${JSON.stringify(content, null, 2)}\n`;
}

function readSecretsText(path: string): string | null {
  const file = readPrivateFile(path, maxSecretsBytes);
  if (file.kind === 'absent') return null;
  if (file.kind === 'untrusted')
    throw new SecretStoreUnavailable(untrustedFile("The secrets can't be read", path, file.problem));
  return file.text;
}

function contentOf(path: string, text: string): SecretsFile {
  const content = parsedJson(text);
  if (content === undefined) throw new SecretStoreUnavailable(`${path} is not valid JSON; restore it from a backup.`);
  const checked = shape.safeParse(content);
  if (checked.success) return checked.data;
  throw new SecretStoreUnavailable(`${path} is not in the form this Sallyport knows; restore it from a backup.`);
}

function accountOf(kind: SecretKind, id: string): string {
  return `${kind}/${id}`;
}

/** Call it once every secret in the file was found in the keychain. */
export function removeSecretsFile(path: string): void {
  rmSync(path, { force: true });
  removeUnfinished(path);
}

/** atomic-file.ts writes beside the file; a kill would leave secrets there for ever. */
function removeUnfinished(path: string): void {
  const folder = dirname(path);
  const name = basename(path);
  for (const entry of readdirSync(folder)) {
    if (entry.startsWith(`${name}.`) && entry.endsWith('.tmp')) rmSync(join(folder, entry), { force: true });
  }
}
