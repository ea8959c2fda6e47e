/**
 * What is kept of the owner passphrase (spec §11): salted scrypt hashes, who chose it, and a reset
 * that waits. Keeps nothing itself.
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
  /** Which program on which terminal, in our words and its own. */
  by: z.string(),
  /** ISO 8601: when the person said that it was them; null until then. */
  confirmedAt: z.string().nullable(),
});
export type Chosen = z.infer<typeof chosen>;

const reset = z.object({
  /** UUID. */
  id: z.string(),
  ...hashed.shape,
  ...chosen.omit({ confirmedAt: true }).shape,
  /** ISO 8601: from then on it is the passphrase. */
  countsAt: z.string(),
});
export type Reset = z.infer<typeof reset>;

const record = z.object({
  version: z.literal(2),
  /** Null where it was switched off. */
  passphrase: hashed.nullable(),
  /** Null for one that an earlier version kept. */
  chosen: chosen.nullable(),
  reset: reset.nullable(),
});
export type PassphraseRecord = z.infer<typeof record>;

const earlierRecord = z.object({ version: z.literal(1), ...hashed.shape });

/**
 * For a new passphrase; a kept one is checked by its own. As strong as N = 2^17, p = 1 (OWASP,
 * Password Storage), in half the memory: 64 MiB, some 0.3 s.
 */
export const newScryptCost: ScryptCost = { N: 65_536, r: 8, p: 2 };

const hashBytes = 32;

/**
 * What is left of a damaged record must not read as none: no passphrase that anybody types has this
 * hash.
 */
const nobodys: Hashed = { cost: newScryptCost, salt: '', hash: Buffer.alloc(hashBytes).toString('base64url') };

/**
 * @param text null where none is kept.
 * @returns `damaged` for one that can't be read: nobody knows its passphrase.
 */
export function recordIn(text: string | null): { readonly record: PassphraseRecord | null; readonly damaged: boolean } {
  if (text === null) return { record: null, damaged: false };
  const content = parsedJson(text);
  const read = record.safeParse(content);
  if (read.success && (read.data.passphrase === null || isWhole(read.data.passphrase)))
    return { record: read.data, damaged: false };
  const earlier = earlierRecord.safeParse(content);
  const passphrase = earlier.success && isWhole(earlier.data) ? hashed.parse(earlier.data) : nobodys;
  return { record: { version: 2, passphrase, chosen: null, reset: null }, damaged: passphrase === nobodys };
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

/** Composed first: the same letters typed on two systems are different bytes. */
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
