/**
 * The arithmetic of the chain (spec §14): each row's MAC covers the row and the MAC before it. The
 * head says where the chain ends and from which row it is checked. Reads and writes nothing.
 */

import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Facts, StoredRow } from './row.ts';

export const keyBytes = 32;
/** A row's MAC is the left half of an HMAC with SHA-256 (RFC 2104 §5). */
const macBytes = 16;
export const firstMac = Buffer.alloc(macBytes);

/** A place in the chain: after this row. */
export interface ChainMark {
  readonly number: number;
  readonly mac: Buffer;
}

export interface Head {
  /** Identifies the key without revealing anything of it. */
  readonly keyId: string;
  /**
   * Grows with each anchored head, so the older of two heads is known. The copy beside the rows has
   * the same counter, or the next one where anchoring was cut off.
   */
  readonly counter: number;
  /** In the copy beside the rows, after a clean stop: the secret store has this head too. */
  readonly isAnchored: boolean;
  readonly last: ChainMark;
  /**
   * Rows up to this one are not checked: they were pruned, or their key is gone. A null MAC is
   * unknown.
   */
  readonly tail: { readonly number: number; readonly mac: Buffer | null };
}

export function macOf(key: Buffer, previous: Buffer, number: number, facts: Facts): Buffer {
  return macOfText(key, previous, sealedText(number, facts));
}

export function macOfText(key: Buffer, previous: Buffer, sealed: string): Buffer {
  return createHmac('sha256', key).update(previous).update(sealed).digest().subarray(0, macBytes);
}

/**
 * The text of a row that its MAC covers: primitives in a fixed order, so no two rows share a text.
 */
export function sealedText(number: number, facts: Facts): string {
  const sealed = [
    'row 2',
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
    facts.standing,
    facts.request_id,
    facts.count,
  ];
  // Checking each value by itself takes three times as long.
  return sealed.some(isInfinite) ? JSON.stringify(sealed, tellInfinity) : JSON.stringify(sealed);
}

/** JSON writes an infinite number as null, so it would pass for an absent one. */
function tellInfinity(_: string, value: unknown): unknown {
  return isInfinite(value) ? String(value) : value;
}

function isInfinite(value: unknown): boolean {
  return typeof value === 'number' && !Number.isFinite(value);
}

export function isMac(value: unknown): value is Buffer {
  return Buffer.isBuffer(value) && value.length === macBytes;
}

export function sameMac(stored: unknown, computed: Buffer): boolean {
  return Buffer.isBuffer(stored) && stored.length === computed.length && timingSafeEqual(stored, computed);
}

/** The MAC in the table; one that matches nothing if the column has no MAC. */
export function storedMac(row: Pick<StoredRow, 'mac'>): Buffer {
  return isMac(row.mac) ? row.mac : firstMac;
}

export function keyIdOf(key: Buffer): string {
  return createHmac('sha256', key).update('key id').digest('base64url').slice(0, 16);
}

export function headText(head: Head): string {
  return JSON.stringify({
    version: 1,
    keyId: head.keyId,
    counter: head.counter,
    isAnchored: head.isAnchored,
    last: { number: head.last.number, mac: head.last.mac.toString('base64') },
    tail: { number: head.tail.number, mac: head.tail.mac?.toString('base64') ?? null },
  });
}

/** The key that seals a head, and the store that the head is of. */
export interface HeadSeal {
  readonly key: Buffer;
  readonly storeId: string;
}

/** The copy of the head, as the table has it. */
export interface HeadCopy {
  readonly head: unknown;
  readonly seal: unknown;
}

/**
 * @returns the text of a copy sealed under this key; null if it is missing, edited or sealed
 *   otherwise.
 */
export function sealedTextOf(copy: HeadCopy | null, { key, storeId }: HeadSeal): string | null {
  if (copy === null || typeof copy.head !== 'string') return null;
  return sameMac(copy.seal, sealOf(key, storeId, copy.head)) ? copy.head : null;
}

/** Without the key nobody can make a head or use one of another store. */
export function sealOf(key: Buffer, storeId: string, text: string): Buffer {
  return createHmac('sha256', key).update(`head ${storeId} `).update(text).digest();
}
