/** Keeps the chain's key and head in the secret store (spec §1), and a sealed copy of the head beside the rows. */

import type { Knex } from 'knex';
import { type SecretStore, SecretStoreUnavailable } from '../../access/secret-store.ts';
import { type Head, headText, keyBytes, parseHead, sameMac, sealOf } from './chain.ts';

interface Anchored {
  readonly key: Buffer | null;
  /** What stands there unreadable counts as missing. */
  readonly head: Head | null;
}

/** @throws SecretStoreUnavailable: a locked keychain is not an empty one. */
export async function readAnchored(secrets: SecretStore): Promise<Anchored> {
  const key = await read(secrets, 'key');
  const head = await read(secrets, 'head');
  const bytes = key === null ? null : Buffer.from(key, 'base64');
  return { key: bytes?.length === keyBytes ? bytes : null, head: head === null ? null : parseHead(head) };
}

async function read(secrets: SecretStore, id: 'key' | 'head'): Promise<string | null> {
  const answer = await secrets.read('activity', id);
  if (answer.kind === 'unavailable') throw new SecretStoreUnavailable(answer.problem);
  return answer.kind === 'found' ? answer.value : null;
}

export async function writeKey(secrets: SecretStore, key: Buffer): Promise<void> {
  await secrets.write('activity', 'key', key.toString('base64'));
}

export async function writeHead(secrets: SecretStore, head: Head): Promise<void> {
  await secrets.write('activity', 'head', headText(head));
}

/** In the transaction that adds the rows, so that the copy and the rows are of one moment. */
export async function writeSealedCopy(trx: Knex, key: Buffer, head: Head): Promise<void> {
  const text = headText(head);
  await trx('activity_head')
    .insert({ id: 1, head: text, seal: sealOf(key, text) })
    .onConflict('id')
    .merge();
}

/** Null where it is missing, edited or sealed under another key. */
export async function readSealedCopy(knex: Knex, key: Buffer): Promise<Head | null> {
  const row: { head: unknown; seal: unknown } | undefined = await knex('activity_head').where({ id: 1 }).first();
  if (row === undefined || typeof row.head !== 'string') return null;
  return sameMac(row.seal, sealOf(key, row.head)) ? parseHead(row.head) : null;
}
