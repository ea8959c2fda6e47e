/**
 * Keeps token records in the secret store, one JSON text each (spec §1: salted hashes, never
 * plaintext), and which hold in the store.
 */

import * as z from 'zod';
import { parsedJson } from '../../../shared/json.ts';
import { type SecretStore, SecretStoreUnavailable } from '../../access/secret-store.ts';
import { scopes, type TokenRecord } from '../../access/tokens/token.ts';
import type { TokenStore } from '../../access/tokens/token-register.ts';
import type { DamagedRow, ReportDamage } from '../store/damaged-rows.ts';
import type { ListedToken, TokenList } from '../store/token-list.ts';

const recordShape = z.object({
  id: z.uuid(),
  name: z.string(),
  prefix: z.string().length(8),
  salt: z.string().min(1),
  hash: z.string().min(1),
  scope: z.enum(scopes),
  connections: z.union([z.literal('all'), z.array(z.string())]),
  confirmInClient: z.boolean(),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().nullable(),
  expiresAt: z.iso.datetime().nullable(),
  revokedAt: z.iso.datetime().nullable(),
  client: z.string().nullable(),
  box: z.object({ group: z.string().nullable() }).optional(),
});

interface TokenRecordPorts {
  readonly secrets: SecretStore;
  readonly list: TokenList;
  /** Of what is kept elsewhere already. */
  readonly report: (error: unknown) => void;
  /** Told of records that the store does not list, so that they count for nothing. */
  readonly unlisted: (ids: readonly string[]) => void;
  /**
   * False where the store may have lost its list: then what it doesn't list is kept all the same.
   */
  readonly mayDelete: boolean;
  readonly damaged: ReportDamage;
}

export function tokenRecordsIn({ secrets, list, report, unlisted, mayDelete, damaged }: TokenRecordPorts): TokenStore {
  async function drop(id: string): Promise<void> {
    try {
      await secrets.delete('token', id);
      await list.forget(id);
    } catch (error) {
      // It has ended all the same, and the next start tries again.
      report(error);
    }
  }

  const write = (record: TokenRecord): Promise<void> => secrets.write('token', record.id, JSON.stringify(record));

  return {
    async load() {
      const ids = await secrets.list('token');
      const listed = await list.load(ids);
      const records: TokenRecord[] = [];
      for (const id of ids) {
        const known = listed.get(id);
        if (known === undefined) continue;
        if (known.isDeleted) {
          await drop(id);
          continue;
        }
        const record = await readRecord(secrets, id);
        // Its token is unknown from here on, so one that was revoked stays refused.
        if (record === null) damaged(damagedRecord(id, secrets));
        else records.push(asListed(record, known));
      }
      const strays = ids.filter(id => !listed.has(id));
      if (strays.length > 0) unlisted(strays);
      // A kill between the record and its place in the list, or an older copy of the secrets.
      if (mayDelete) for (const id of strays) await secrets.delete('token', id).catch(report);
      return records;
    },
    end: (id, revokedAt) => list.end({ id, revokedAt }),
    async save(record) {
      if (record.revokedAt !== null) return write(record).catch(report);
      await write(record);
      try {
        await list.add(record.id);
      } catch (error) {
        await secrets.delete('token', record.id).catch(report);
        throw error;
      }
    },
    delete: drop,
  };
}

/** Whichever of the two says that it was revoked is believed. */
function asListed(record: TokenRecord, { revokedAt }: ListedToken): TokenRecord {
  return { ...record, revokedAt: record.revokedAt ?? revokedAt };
}

/** @throws SecretStoreUnavailable; null for a record that can't be read. */
async function readRecord(secrets: SecretStore, id: string): Promise<TokenRecord | null> {
  const read = await secrets.read('token', id);
  if (read.kind === 'unavailable') throw new SecretStoreUnavailable(read.problem);
  const parsed = read.kind === 'found' ? recordShape.safeParse(parsedJson(read.value)) : null;
  // Another's record in its place would be revoked, and listed, under an id that is not its own.
  return parsed?.success && parsed.data.id === id ? parsed.data : null;
}

function damagedRecord(id: string, { backend }: SecretStore): DamagedRow {
  return {
    ...{ table: 'secrets', row: JSON.stringify(`token/${id}`) },
    meanwhile: 'that token is refused and not listed',
    remedy:
      backend === 'file'
        ? 'Restore the file from a backup, or stop Sallyport, take the row out and mint or pair a new token.'
        : 'Mint or pair a new token.',
  };
}
