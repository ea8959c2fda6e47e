/**
 * Keeps the chain's key and head in the secret store (spec §1), and a sealed copy of the head
 * beside the rows.
 */

import { type SecretStore, SecretStoreUnavailable } from '../../access/secret-store.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { boundKey, type ChainLook } from './activity-table.ts';
import {
  type Head,
  type HeadCopy,
  type HeadSeal,
  headText,
  keyBytes,
  keyIdOf,
  sameMac,
  sealedTextOf,
  sealOf,
} from './chain.ts';
import { parseHead } from './head-text.ts';

/** Prefix of the stored key, once its heads are sealed. */
const boundMark = 'bound ';

/**
 * Reads key and head. A head that can't be read, or whose seal doesn't fit, counts as missing. A
 * head under another key is returned as it is.
 * @throws SecretStoreUnavailable: a locked keychain is not an empty one.
 */
export async function readAnchored(secrets: SecretStore, look: ChainLook, storeId: string) {
  const keyText = (await read(secrets, 'key')) ?? '';
  const text = await read(secrets, 'head');
  const isMarked = keyText.startsWith(boundMark);
  const bytes = Buffer.from(isMarked ? keyText.slice(boundMark.length) : keyText, 'base64');
  const key = bytes.length === keyBytes ? bytes : null;
  // This key has sealed a head, so a head without a seal is no longer believed.
  const isBound = isMarked || look.isBound;
  const head = text === null ? null : believed(text, key, storeId, !isBound);
  return { key, isBound, head };
}

function believed(text: string, key: Buffer | null, storeId: string, isUnbound: boolean): Head | null {
  const [json = '', seal = ''] = text.split('\n');
  const head = parseHead(json);
  if (head === null || key === null || head.keyId !== keyIdOf(key)) return head;
  if (head.version === 1) return isUnbound ? head : null;
  return sameMac(Buffer.from(seal, 'base64'), sealOf(key, storeId, json)) ? head : null;
}

async function read(secrets: SecretStore, id: 'key' | 'head'): Promise<string | null> {
  const answer = await secrets.read('activity', id);
  if (answer.kind === 'unavailable') throw new SecretStoreUnavailable(answer.problem);
  return answer.kind === 'found' ? answer.value : null;
}

/** Call it once the head in the secret store is sealed, or if there is none. */
export async function writeKey(secrets: SecretStore, key: Buffer): Promise<void> {
  await secrets.write('activity', 'key', `${boundMark}${key.toString('base64')}`);
}

export async function writeHead(
  secrets: SecretStore,
  { key, storeId }: Omit<HeadSeal, 'isUnbound'>,
  head: Head,
): Promise<void> {
  const text = headText(head);
  await secrets.write('activity', 'head', `${text}\n${sealOf(key, storeId, text).toString('base64')}`);
}

/** @returns null if the copy is missing, edited or sealed under another key. */
export function sealedCopy(copy: HeadCopy | null, seal: HeadSeal): Head | null {
  const text = sealedTextOf(copy, seal);
  return text === null ? null : parseHead(text);
}

/**
 * Seals the head of a store of an earlier version, once. The marks come last: after a kill before
 * them, the next start binds the store.
 */
export async function bindHead(
  secrets: SecretStore,
  ledger: Pick<Ledger, 'ask'>,
  seal: HeadSeal,
  head: Head,
  copy: Head | null,
): Promise<Head> {
  const bound = { ...head, counter: Math.max(1, head.counter) };
  await ledger.ask('keepHeadCopy', seal, { ...(copy ?? head), counter: bound.counter });
  await writeHead(secrets, seal, bound);
  await writeKey(secrets, seal.key);
  await ledger.ask('writeStatements', [
    { sql: "insert into store (key, value) values (?, 'bound') on conflict (key) do nothing", bindings: [boundKey] },
  ]);
  return bound;
}
