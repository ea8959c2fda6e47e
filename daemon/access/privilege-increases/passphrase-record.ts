/**
 * The stored form of the owner passphrase (spec §11): salted scrypt hashes, who chose it, and a
 * pending reset. Stores nothing itself.
 */

import { scrypt, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import { parsedJson } from '../../../shared/json.ts';

interface ScryptCost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

const cost = z.object({ N: z.int().max(1_048_576), r: z.int().max(32), p: z.int().max(16) });
const hashed = z.object({ cost, salt: z.base64url(), hash: z.base64url() });
type Hashed = z.infer<typeof hashed>;

const chosen = z.object({
  /** ISO 8601. */
  at: z.string(),
  /** Which program on which terminal, partly in that program's own words. */
  by: z.string(),
  /** ISO 8601: when the person confirmed that it was them; null before. */
  confirmedAt: z.string().nullable(),
  /** The one that it was typed on. */
  terminal: z.string().optional(),
});
export type ChosenPassphrase = z.infer<typeof chosen>;

const reset = z.object({
  /** UUID. */
  id: z.string(),
  ...hashed.shape,
  ...chosen.omit({ confirmedAt: true }).shape,
  /** The passphrase counts once the daemon has run for so many milliseconds in all. */
  countsAtRun: z.number(),
});
export type PassphraseReset = z.infer<typeof reset>;

const record = z.object({
  version: z.literal(1),
  /** Null if it was switched off. */
  passphrase: hashed.nullable(),
  /** Null if it is not known. */
  chosen: chosen.nullable(),
  reset: reset.nullable(),
  /** It is off because the home was made so. */
  isUnattended: z.literal(true).optional(),
  /** Confirms like this passphrase, and ends with it; absent if there is none. */
  touchIdKey: z.string().optional(),
});
export type PassphraseRecord = z.infer<typeof record>;

/**
 * For new passphrases; a stored one names its own cost. As strong as N = 2^17, p = 1 (OWASP,
 * Password Storage) with half the memory: 64 MiB, some 0.3 s.
 */
export const newScryptCost: ScryptCost = { N: 65_536, r: 8, p: 2 };

const hashBytes = 32;

/** A damaged record must not count as none: no passphrase has this hash. */
const nobodys: Hashed = { cost: newScryptCost, salt: '', hash: Buffer.alloc(hashBytes).toString('base64url') };

/**
 * @param text null if none is stored.
 * @returns `damaged` for an unreadable record: nobody knows its passphrase.
 */
export function recordIn(text: string | null): { readonly record: PassphraseRecord | null; readonly damaged: boolean } {
  if (text === null) return { record: null, damaged: false };
  const read = record.safeParse(parsedJson(text));
  if (read.success && (read.data.passphrase === null || isWhole(read.data.passphrase)))
    return { record: read.data, damaged: false };
  return { record: { version: 1, passphrase: nobodys, chosen: null, reset: null }, damaged: true };
}

function isWhole({ hash }: Hashed): boolean {
  return Buffer.from(hash, 'base64url').length === hashBytes;
}

export async function hashOf(typed: string, salt: string, by: ScryptCost): Promise<Hashed> {
  return { cost: by, salt, hash: (await derived(typed, { cost: by, salt })).toString('base64url') };
}

export async function isHashOf(typed: string, kept: Hashed): Promise<boolean> {
  return timingSafeEqual(await derived(typed, kept), Buffer.from(kept.hash, 'base64url'));
}

/** Composed first: the same letters typed on two systems can be different bytes. */
function derived(typed: string, { cost: { N, r, p }, salt }: Pick<Hashed, 'cost' | 'salt'>): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(
      typed.normalize('NFC'),
      Buffer.from(salt, 'base64url'),
      hashBytes,
      { N, r, p, maxmem: 256 * N * r },
      (error, key) => (error === null ? resolve(key) : reject(error)),
    );
  });
}
