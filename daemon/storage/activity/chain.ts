/**
 * The arithmetic of the chain (spec §14): each row's MAC covers the row and its predecessor's MAC; the head says where the
 * chain ends and from where it is checked. Reads and writes nothing.
 */

import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { parsedJson } from '../../../shared/json.ts';
import type { Facts, StoredRow } from './row.ts';

export const keyBytes = 32;
const macBytes = 32;
export const firstMac = Buffer.alloc(macBytes);

/** A place in the chain: after this row. */
export interface Mark {
  readonly number: number;
  readonly mac: Buffer;
}

export interface Head {
  /** Tells one key from another without giving anything of it away. */
  readonly keyId: string;
  /**
   * Grows with each head that was anchored, so that of two heads it tells the older. The copy beside the rows is of the same one, or
   * of the next where its anchoring was cut off.
   */
  readonly counter: number;
  /** Of the copy beside the rows, after a clean stop: this head stands in the secret store too. */
  readonly isAnchored: boolean;
  readonly last: Mark;
  /** Rows up to it are not checked: pruned, or under a key that is gone. A null MAC: unknown. */
  readonly tail: { readonly number: number; readonly mac: Buffer | null };
}

export function macOf(key: Buffer, previous: Buffer, number: number, facts: Facts): Buffer {
  return createHmac('sha256', key).update(previous).update(sealedText(number, facts)).digest();
}

/** One text for one row: an array of primitives in a fixed order, so that no two rows share a text. */
function sealedText(number: number, facts: Facts): string {
  return JSON.stringify(
    [
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
      facts.statement_hash === null ? null : hexOf(facts.statement_hash),
      facts.rows,
      facts.duration_milliseconds,
      facts.reason,
      facts.request_id,
      facts.count,
    ],
    tellInfinity,
  );
}

/** JSON writes an infinite number as null, which would let one pass for an absent one. */
function tellInfinity(_: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;
}

/** Whoever edits the table may put any type into any column. */
function hexOf(value: unknown): unknown {
  return Buffer.isBuffer(value) ? value.toString('hex') : ['not bytes', String(value)];
}

function isMac(value: unknown): value is Buffer {
  return Buffer.isBuffer(value) && value.length === macBytes;
}

export function sameMac(stored: unknown, computed: Buffer): boolean {
  return isMac(stored) && timingSafeEqual(stored, computed);
}

/** The MAC that stands in the table, or one that matches nothing where none stands. */
export function storedMac(row: Pick<StoredRow, 'mac'>): Buffer {
  return isMac(row.mac) ? row.mac : firstMac;
}

export function keyIdOf(key: Buffer): string {
  return createHmac('sha256', key).update('key id').digest('base64url').slice(0, 16);
}

const macText = z.base64().length(44);
const headShape = z.object({
  keyId: z.string().length(16),
  last: z.object({ number: z.int().min(0), mac: macText }),
  tail: z.object({ number: z.int().min(0), mac: macText.nullable() }),
});
const numbered = { counter: z.int().min(0), isAnchored: z.boolean() };
/** Version 1 was of Sallyport before its heads were sealed in the secret store and counted. */
const anyHead = z.discriminatedUnion('version', [
  headShape.extend({ version: z.literal(1) }).transform(head => ({ ...head, counter: 0, isAnchored: false })),
  headShape.extend({ version: z.literal(2), ...numbered }),
]);

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

/** Null for what is no head of ours. */
export function parseHead(text: string): (Head & { readonly version: 1 | 2 }) | null {
  const parsed = anyHead.safeParse(parsedJson(text));
  if (!parsed.success) return null;
  const { last, tail } = parsed.data;
  return {
    ...parsed.data,
    last: { number: last.number, mac: Buffer.from(last.mac, 'base64') },
    tail: { number: tail.number, mac: tail.mac === null ? null : Buffer.from(tail.mac, 'base64') },
  };
}

/** Who has no key can't make a head, nor take one of another store. Version 1 sealed the copy beside the rows alone. */
export function sealOf(key: Buffer, storeId: string, text: string): Buffer {
  return createHmac('sha256', key).update(`head 2 ${storeId} `).update(text).digest();
}

export function sealOfVersion1(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update('head').update(text).digest();
}
