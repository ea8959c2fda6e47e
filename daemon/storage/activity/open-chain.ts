/**
 * Finds the chain's key and head at the start, or makes them for a new log. Replaces a missing one
 * and records that.
 */

import type { SecretStore } from '../../access/secret-store.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { ChainLook } from './activity-table.ts';
import { readAnchored, sealedCopy, writeHead, writeKey } from './anchor.ts';
import { firstMac, type Head, type HeadSeal, keyBytes, keyIdOf } from './chain.ts';
import type { Incident } from './incidents.ts';
import type { ReconciledHead } from './reconcile-head.ts';

export interface ChainPorts {
  readonly ledger: Ledger;
  /** A head of another store doesn't count. */
  readonly storeId: string;
  readonly secrets: SecretStore;
  readonly randomBytes: (count: number) => Buffer;
}

interface OpenedChain extends ReconciledHead {
  readonly seal: HeadSeal;
  readonly tail: Head['tail'];
  /** Counter of the head in the secret store. */
  readonly counter: number;
}

/** @throws SecretStoreUnavailable */
export async function openChain(ports: ChainPorts): Promise<OpenedChain> {
  const { ledger, secrets, storeId } = ports;
  const look = await ledger.ask('lookAtChain');
  const { key, head } = await readAnchored(secrets, storeId);
  if (key === null && isNew(look, head)) return beginChain(ports);
  if (key === null) return beginUnderAnotherKey(ports, look, head, null);
  const seal = { key, storeId };
  const copy = sealedCopy(look.copy, seal);
  if (head === null) return goOn(ports, seal, copy ?? headFromTable(look, seal), [headMissing]);
  if (head.keyId !== keyIdOf(key)) return beginUnderAnotherKey(ports, look, head, key);
  if (copy !== null && isOlder(head, copy)) return goOn(ports, seal, copy, [olderSecrets]);
  return goOn(ports, seal, head, copy === null && head.last.number > 0 ? [copyMissing] : []);
}

/**
 * A kill between rows and head leaves the copy one ahead. After a clean stop the copy is marked as
 * anchored.
 */
function isOlder(head: Head, copy: Head): boolean {
  return copy.counter > head.counter + (copy.isAnchored ? 0 : 1);
}

const headMissing: Incident = {
  action: 'activity.head_missing',
  reason: 'The head was not in the secret store as it was kept, so rows may have been cut off the end of the log.',
  count: 1,
};

const copyMissing: Incident = {
  action: 'activity.head_missing',
  reason: 'The copy of the head in the database was gone or edited, so rows may have been cut off the end of the log.',
  count: 1,
};

const olderSecrets: Incident = {
  action: 'activity.older_secrets',
  reason: 'The secret store was an older copy than the database; what was changed in it since is lost.',
  count: 1,
};

function isNew({ end, copy }: ChainLook, head: Head | null): boolean {
  const isEmpty = end === null && copy === null;
  // A first start killed between the two leaves a head of nothing, under a key that was never
  // stored.
  return isEmpty && (head === null || head.last.number === 0);
}

/** The head comes first: a key without a head would look like a head that somebody removed. */
async function beginChain({ secrets, storeId, randomBytes }: ChainPorts): Promise<OpenedChain> {
  const key = randomBytes(keyBytes);
  const seal = { key, storeId };
  const start = { number: 0, mac: firstMac };
  await writeHead(secrets, seal, { keyId: keyIdOf(key), counter: 0, isAnchored: false, last: start, tail: start });
  await writeKey(secrets, key);
  return { seal, tail: start, counter: 0, last: start, isDetached: false, incidents: [] };
}

async function goOn(
  { ledger }: ChainPorts,
  seal: HeadSeal,
  head: Head,
  incidents: readonly Incident[],
): Promise<OpenedChain> {
  const reconciled = await ledger.ask('reconcileHead', seal, head);
  const { tail, counter } = head;
  return { ...reconciled, seal, tail, counter, incidents: [...incidents, ...reconciled.incidents] };
}

/** The old rows can't be checked any more, so the chain begins again behind them. */
async function beginUnderAnotherKey(
  ports: ChainPorts,
  { end }: ChainLook,
  head: Head | null,
  found: Buffer | null,
): Promise<OpenedChain> {
  const key = found ?? ports.randomBytes(keyBytes);
  if (found === null) await writeKey(ports.secrets, key);
  const mark = { number: Math.max(end?.number ?? 0, head?.last.number ?? 0), mac: firstMac };
  const what = found === null ? 'was not in the secret store' : 'in the secret store was another one';
  const reason = `The key ${what}; rows up to ${mark.number} can't be checked any more.`;
  return {
    seal: { key, storeId: ports.storeId },
    tail: mark,
    counter: head?.counter ?? 0,
    last: mark,
    isDetached: true,
    incidents: [{ action: 'activity.key_missing', reason, count: 1 }],
  };
}

/** The sealed copy is gone too: the best that is left is what the table itself says. */
function headFromTable({ end, firstNumber }: ChainLook, seal: HeadSeal): Head {
  const tail = (firstNumber ?? 1) - 1;
  const start = { keyId: keyIdOf(seal.key), counter: 0, isAnchored: false };
  return {
    ...start,
    last: end ?? { number: 0, mac: firstMac },
    tail: { number: tail, mac: tail === 0 ? firstMac : null },
  };
}
