/** Finds the chain's key and head at the start, or makes them for a new log. A missing one is replaced and said so. */

import type { Knex } from 'knex';
import type { SecretStore } from '../../access/secret-store.ts';
import { readAnchored, readSealedCopy, writeHead, writeKey } from './anchor.ts';
import { firstMac, type Head, keyBytes, keyIdOf } from './chain.ts';
import { type Incident, type Settled, settle } from './settle.ts';
import { endOfTable } from './table.ts';

export interface ChainPorts {
  readonly knex: Knex;
  readonly secrets: SecretStore;
  readonly randomBytes: (count: number) => Buffer;
  readonly stepRows: number;
}

export interface OpenedChain extends Settled {
  readonly key: Buffer;
  readonly tail: Head['tail'];
}

/** @throws SecretStoreUnavailable */
export async function openChain(ports: ChainPorts): Promise<OpenedChain> {
  const { key, head } = await readAnchored(ports.secrets);
  if (key === null && (await isNew(ports.knex, head))) return beginChain(ports);
  if (key === null) return beginUnderAnotherKey(ports, head, null);
  if (head === null) return goOn(ports, key, await headFromTable(ports.knex, key), [headMissing]);
  if (head.keyId !== keyIdOf(key)) return beginUnderAnotherKey(ports, head, key);
  return goOn(ports, key, head, []);
}

const headMissing: Incident = {
  action: 'activity.head_missing',
  reason: 'The head was not in the secret store, so rows may have been cut off the end of the log.',
  count: 1,
};

async function isNew(knex: Knex, head: Head | null): Promise<boolean> {
  const isEmpty = (await endOfTable(knex)) === null && (await knex('activity_head').first()) === undefined;
  // A first start that was killed between the two has left a head of nothing, under a key that never was.
  return isEmpty && (head === null || head.last.number === 0);
}

/** Head before key: a key without a head would look like a head that somebody took away. */
async function beginChain({ secrets, randomBytes }: ChainPorts): Promise<OpenedChain> {
  const key = randomBytes(keyBytes);
  const start = { number: 0, mac: firstMac };
  await writeHead(secrets, { keyId: keyIdOf(key), last: start, tail: start });
  await writeKey(secrets, key);
  return { key, tail: start, last: start, isDetached: false, incidents: [] };
}

async function goOn(
  { knex, stepRows }: ChainPorts,
  key: Buffer,
  head: Head,
  incidents: readonly Incident[],
): Promise<OpenedChain> {
  const settled = await settle(knex, key, head, stepRows);
  return { ...settled, key, tail: head.tail, incidents: [...incidents, ...settled.incidents] };
}

/** The rows so far can't be checked any more: the chain begins anew behind them. */
async function beginUnderAnotherKey(ports: ChainPorts, head: Head | null, found: Buffer | null): Promise<OpenedChain> {
  const key = found ?? ports.randomBytes(keyBytes);
  if (found === null) await writeKey(ports.secrets, key);
  const end = await endOfTable(ports.knex);
  const mark = { number: Math.max(end?.number ?? 0, head?.last.number ?? 0), mac: firstMac };
  const what = found === null ? 'was not in the secret store' : 'in the secret store was another one';
  const reason = `The key ${what}; rows up to ${mark.number} can't be checked any more.`;
  return {
    key,
    tail: mark,
    last: mark,
    isDetached: true,
    incidents: [{ action: 'activity.key_missing', reason, count: 1 }],
  };
}

/** The best that is left: the sealed copy, else what the table itself says. */
async function headFromTable(knex: Knex, key: Buffer): Promise<Head> {
  const copy = await readSealedCopy(knex, key);
  if (copy !== null) return copy;
  const end = (await endOfTable(knex)) ?? { number: 0, mac: firstMac };
  const first: { number: number } | undefined = await knex('activity').select('number').orderBy('number').first();
  const tail = (first?.number ?? 1) - 1;
  return { keyId: keyIdOf(key), last: end, tail: { number: tail, mac: tail === 0 ? firstMac : null } };
}
