/**
 * Secrets in `secrets.json`, mode 0600, where there is no keychain service (SPEC §1). Replaced as a whole at each change.
 * Guards against nothing that already runs as this user; `status` says so.
 */

import { readPrivateFile } from '../../shared/private-files.ts';
import { type SecretKind, type SecretStore, SecretStoreUnavailable } from '../access/secret-store.ts';
import { replacePrivateFile } from './atomic-file.ts';

interface SecretsFile {
  readonly version: 1;
  /** The store's UUID: a file that belongs to another store is not believed. */
  readonly store: string;
  readonly secrets: Readonly<Record<string, string>>;
}

const maxSecretsBytes = 64 * 1024 * 1024;

export function openFileSecretStore(path: string, storeId: string): SecretStore {
  function load(): SecretsFile {
    const file = readPrivateFile(path, maxSecretsBytes);
    if (file.kind === 'absent') return { version: 1, store: storeId, secrets: {} };
    if (file.kind === 'untrusted') throw new SecretStoreUnavailable(`The secrets can't be read: ${file.problem}.`);
    return parse(file.text);
  }

  function parse(text: string): SecretsFile {
    let content: SecretsFile;
    try {
      content = JSON.parse(text);
    } catch {
      throw new SecretStoreUnavailable(`${path} is not valid JSON; restore it from a backup or remove it.`);
    }
    if (content?.version !== 1 || content.store !== storeId || typeof content.secrets !== 'object') {
      throw new SecretStoreUnavailable(`${path} belongs to another store; put the one of this store back.`);
    }
    return content;
  }

  function change(edit: (secrets: Record<string, string>) => void): void {
    const content = load();
    const secrets = { ...content.secrets };
    edit(secrets);
    replacePrivateFile(path, `${JSON.stringify({ ...content, secrets }, null, 2)}\n`);
  }

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
    async write(kind, id, value) {
      if (value === '' || value.includes('\0')) throw new TypeError('a secret is empty or has a NUL character');
      change(secrets => {
        secrets[accountOf(kind, id)] = value;
      });
    },
    async delete(kind, id) {
      if (!Object.hasOwn(load().secrets, accountOf(kind, id))) return;
      change(secrets => {
        delete secrets[accountOf(kind, id)];
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

function accountOf(kind: SecretKind, id: string): string {
  return `${kind}/${id}`;
}
