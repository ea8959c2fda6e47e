/**
 * Keeps the chain's key and head in the secret store (spec §1), and a sealed copy of the head
 * beside the rows.
 */

import { type SecretStore, SecretStoreUnavailable } from '../../access/secret-store.ts';
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

/**
 * Reads key and head. A head that can't be read, or whose seal doesn't fit, counts as missing. A
 * head under another key is returned as it is.
 * @throws SecretStoreUnavailable: a locked keychain is not an empty one.
 */
export async function readAnchored(secrets: SecretStore, storeId: string) {
  const bytes = Buffer.from((await read(secrets, 'key')) ?? '', 'base64');
  const text = await read(secrets, 'head');
  const key = bytes.length === keyBytes ? bytes : null;
  return { key, head: text === null ? null : believed(text, key, storeId) };
}

function believed(text: string, key: Buffer | null, storeId: string): Head | null {
  const [json = '', seal = ''] = text.split('\n');
  const head = parseHead(json);
  if (head === null || key === null || head.keyId !== keyIdOf(key)) return head;
  return sameMac(Buffer.from(seal, 'base64'), sealOf(key, storeId, json)) ? head : null;
}

async function read(secrets: SecretStore, id: 'key' | 'head'): Promise<string | null> {
  const answer = await secrets.read('activity', id);
  if (answer.kind === 'unavailable') throw new SecretStoreUnavailable(answer.problem);
  return answer.kind === 'found' ? answer.value : null;
}

/** Call it once the head in the secret store is sealed, or if there is none. */
export async function writeKey(secrets: SecretStore, key: Buffer): Promise<void> {
  await secrets.write('activity', 'key', key.toString('base64'));
}

export async function writeHead(secrets: SecretStore, { key, storeId }: HeadSeal, head: Head): Promise<void> {
  const text = headText(head);
  await secrets.write('activity', 'head', `${text}\n${sealOf(key, storeId, text).toString('base64')}`);
}

/** @returns null if the copy is missing, edited or sealed under another key. */
export function sealedCopy(copy: HeadCopy | null, seal: HeadSeal): Head | null {
  const text = sealedTextOf(copy, seal);
  return text === null ? null : parseHead(text);
}
