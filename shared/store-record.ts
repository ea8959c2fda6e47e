/**
 * `store.json` (spec §1 Secrets): the id of a home's store and where that store's secrets are, so a
 * shell knows where to find its own. The daemon writes it from the store. It decides nothing and
 * holds no secret.
 */

import { isObject, parsedJson } from './json.ts';
import { readPrivateFile } from './private-files.ts';

interface StoreRecord {
  readonly version: 1;
  /** UUID of the store; the keychain's accounts begin with it. */
  readonly store: string;
  readonly secrets: 'file' | 'keychain';
}

/**
 * `user_version` of a `sallyport.db` that this version makes. Any other is refused (spec §1): until
 * the first release a new shape takes a new number here, and nothing takes over an old store.
 */
export const storeVersion = 12;

export type StoreRecordRead =
  | { readonly kind: 'read'; readonly record: StoreRecord }
  /** No daemon has run in this home yet. */
  | { readonly kind: 'absent' }
  /** `problem` is a sentence. */
  | { readonly kind: 'unusable'; readonly problem: string };

const maxRecordBytes = 4_096;
const storeId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function readStoreRecord(path: string): StoreRecordRead {
  const file = readPrivateFile(path, maxRecordBytes);
  if (file.kind === 'absent') return { kind: 'absent' };
  if (file.kind === 'untrusted') return { kind: 'unusable', problem: `${file.problem}.` };
  const record = recordIn(file.text);
  if (record !== null) return { kind: 'read', record };
  return { kind: 'unusable', problem: `${path} is not in the form this Sallyport knows; update it, then restart it.` };
}

export function storeRecordText(record: StoreRecord): string {
  return `${JSON.stringify(record)}\n`;
}

function recordIn(text: string): StoreRecord | null {
  const content = parsedJson(text);
  if (!isObject(content)) return null;
  const { version, store, secrets } = content;
  if (version !== 1 || typeof store !== 'string' || !storeId.test(store)) return null;
  return secrets === 'file' || secrets === 'keychain' ? { version, store, secrets } : null;
}
