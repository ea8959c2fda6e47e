/** Keeps the chain's key and head in the secret store (spec §1), and a copy of the head beside the rows, both sealed under the key. */

import type { Knex } from 'knex';
import { type SecretStore, SecretStoreUnavailable } from '../../access/secret-store.ts';
import { type Head, headText, keyBytes, keyIdOf, parseHead, sameMac, sealOf, sealOfVersion1 } from './chain.ts';

/** What a head is sealed with, and for which store. */
export interface Seal {
  readonly key: Buffer;
  readonly storeId: string;
  /** A store of an earlier version, until its head is bound: heads without a seal or a counter are believed. */
  readonly isUnbound: boolean;
}

interface Anchored {
  readonly key: Buffer | null;
  /** The key has been used to seal a head: no head without a seal is believed any more. */
  readonly isBound: boolean;
  /** What stands there unreadable, or sealed by somebody else, counts as missing. One under another key is given as it stands. */
  readonly head: Head | null;
}

/** Before the key, where heads are sealed with it. */
const boundMark = 'bound ';

/** @throws SecretStoreUnavailable: a locked keychain is not an empty one. */
export async function readAnchored(secrets: SecretStore, knex: Knex, storeId: string): Promise<Anchored> {
  const keyText = (await read(secrets, 'key')) ?? '';
  const text = await read(secrets, 'head');
  const isMarked = keyText.startsWith(boundMark);
  const bytes = Buffer.from(isMarked ? keyText.slice(boundMark.length) : keyText, 'base64');
  const key = bytes.length === keyBytes ? bytes : null;
  const isBound = isMarked || (await isMarkedInStore(knex));
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

/** Only once the head in the secret store is sealed, or there is none. */
export async function writeKey(secrets: SecretStore, key: Buffer): Promise<void> {
  await secrets.write('activity', 'key', `${boundMark}${key.toString('base64')}`);
}

export async function writeHead(
  secrets: SecretStore,
  { key, storeId }: Omit<Seal, 'isUnbound'>,
  head: Head,
): Promise<void> {
  const text = headText(head);
  await secrets.write('activity', 'head', `${text}\n${sealOf(key, storeId, text).toString('base64')}`);
}

/** In the transaction that adds the rows, so that the copy and the rows are of one moment. */
export async function writeSealedCopy(trx: Knex, { key, storeId }: Omit<Seal, 'isUnbound'>, head: Head): Promise<void> {
  const text = headText(head);
  await trx('activity_head')
    .insert({ id: 1, head: text, seal: sealOf(key, storeId, text) })
    .onConflict('id')
    .merge();
}

/** Null where it is missing, edited or sealed under another key. */
export async function readSealedCopy(knex: Knex, { key, storeId, isUnbound }: Seal): Promise<Head | null> {
  const row: { head: unknown; seal: unknown } | undefined = await knex('activity_head').where({ id: 1 }).first();
  if (row === undefined || typeof row.head !== 'string') return null;
  const isSealed =
    sameMac(row.seal, sealOf(key, storeId, row.head)) ||
    (isUnbound && sameMac(row.seal, sealOfVersion1(key, row.head)));
  return isSealed ? parseHead(row.head) : null;
}

/** In the table `store`, so that secrets of before can't be put back in the place of a bound head. */
const boundKey = 'head';

async function isMarkedInStore(knex: Knex): Promise<boolean> {
  return (await knex('store').where({ key: boundKey }).first('key')) !== undefined;
}

/**
 * Seals the head of a store of an earlier version, once. The marks come last: a kill before them leaves a store that is bound at the
 * next start.
 */
export async function bindHead(secrets: SecretStore, knex: Knex, seal: Seal, head: Head): Promise<Head> {
  const bound = { ...head, counter: Math.max(1, head.counter) };
  const copy = (await readSealedCopy(knex, seal)) ?? head;
  await writeSealedCopy(knex, seal, { ...copy, counter: bound.counter });
  await writeHead(secrets, seal, bound);
  await writeKey(secrets, seal.key);
  await knex('store').insert({ key: boundKey, value: 'bound' }).onConflict('key').merge();
  return bound;
}
