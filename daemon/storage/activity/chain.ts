/**
 * The arithmetic of the chain (spec §14): each row's MAC covers the row and its predecessor's MAC;
 * the head says where the chain ends and from where it is checked. Reads and writes nothing.
 */

import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Facts, StoredRow } from './row.ts';

export const keyBytes = 32;
/**
 * Of a row: the left half of an HMAC with SHA-256, as RFC 2104 §5 allows. Rows of earlier versions,
 * and the heads' seals, have all of it.
 */
const macBytes = 16;
const wholeMacBytes = 32;
export const firstMac = Buffer.alloc(wholeMacBytes);

/** A place in the chain: after this row. */
export interface Mark {
  readonly number: number;
  readonly mac: Buffer;
}

export interface Head {
  /** Tells one key from another without giving anything of it away. */
  readonly keyId: string;
  /**
   * Grows with each head that was anchored, so that of two heads it tells the older. The copy
   * beside the rows is of the same one, or of the next where its anchoring was cut off.
   */
  readonly counter: number;
  /** Of the copy beside the rows, after a clean stop: this head stands in the secret store too. */
  readonly isAnchored: boolean;
  readonly last: Mark;
  /** Rows up to it are not checked: pruned, or under a key that is gone. A null MAC: unknown. */
  readonly tail: { readonly number: number; readonly mac: Buffer | null };
}

export function macOf(key: Buffer, previous: Buffer, number: number, facts: Facts): Buffer {
  return shortened(wholeMacOf(key, previous, sealedText(number, facts)));
}

export function wholeMacOf(key: Buffer, previous: Buffer, sealed: string): Buffer {
  return createHmac('sha256', key).update(previous).update(sealed).digest();
}

export function shortened(wholeMac: Buffer): Buffer {
  return wholeMac.subarray(0, macBytes);
}

export function isWhole(mac: Buffer): boolean {
  return mac.length === wholeMacBytes;
}

/**
 * One text for one row: an array of primitives in a fixed order, so that no two rows share a text.
 */
export function sealedText(number: number, facts: Facts): string {
  const sealed = [
    'row 1',
    number,
    facts.time,
    facts.kind,
    facts.attempt,
    facts.category,
    facts.action,
    facts.outcome,
    facts.principal,
    facts.token_name,
    facts.client,
    facts.connection_id,
    facts.connection_name,
    facts.statement_hash,
    facts.rows,
    facts.duration_milliseconds,
    facts.reason,
    facts.request_id,
    facts.count,
  ];
  // Asked of each value, it takes three times as long.
  return sealed.some(isInfinite) ? JSON.stringify(sealed, tellInfinity) : JSON.stringify(sealed);
}

/** JSON writes an infinite number as null, which would let one pass for an absent one. */
function tellInfinity(_: string, value: unknown): unknown {
  return isInfinite(value) ? String(value) : value;
}

function isInfinite(value: unknown): boolean {
  return typeof value === 'number' && !Number.isFinite(value);
}

export function isMac(value: unknown): value is Buffer {
  return Buffer.isBuffer(value) && (value.length === macBytes || value.length === wholeMacBytes);
}

export function sameMac(stored: unknown, computed: Buffer): boolean {
  return isMac(stored) && stored.length === computed.length && timingSafeEqual(stored, computed);
}

/** The MAC that stands in the table, or one that matches nothing where none stands. */
export function storedMac(row: Pick<StoredRow, 'mac'>): Buffer {
  return isMac(row.mac) ? row.mac : firstMac;
}

export function keyIdOf(key: Buffer): string {
  return createHmac('sha256', key).update('key id').digest('base64url').slice(0, 16);
}

export function headText(head: Head): string {
  return JSON.stringify({
    version: 2,
    keyId: head.keyId,
    counter: head.counter,
    isAnchored: head.isAnchored,
    last: { number: head.last.number, mac: head.last.mac.toString('base64') },
    tail: { number: head.tail.number, mac: head.tail.mac?.toString('base64') ?? null },
  });
}

/** What a head is sealed with, and for which store. */
export interface Seal {
  readonly key: Buffer;
  readonly storeId: string;
  /**
   * A store of an earlier version, until its head is bound: heads without a seal or a counter are
   * believed.
   */
  readonly isUnbound: boolean;
}

/** The copy of the head beside the rows, as it stands in the table. */
export interface HeadCopy {
  readonly head: unknown;
  readonly seal: unknown;
}

/**
 * The text of a copy that was sealed under this key; null where it is missing, edited or sealed
 * under another.
 */
export function sealedTextOf(copy: HeadCopy | null, { key, storeId, isUnbound }: Seal): string | null {
  if (copy === null || typeof copy.head !== 'string') return null;
  const isSealed =
    sameMac(copy.seal, sealOf(key, storeId, copy.head)) ||
    (isUnbound && sameMac(copy.seal, sealOfVersion1(key, copy.head)));
  return isSealed ? copy.head : null;
}

/**
 * Who has no key can't make a head, nor take one of another store. Version 1 sealed the copy beside
 * the rows alone.
 */
export function sealOf(key: Buffer, storeId: string, text: string): Buffer {
  return createHmac('sha256', key).update(`head 2 ${storeId} `).update(text).digest();
}

export function sealOfVersion1(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update('head').update(text).digest();
}
