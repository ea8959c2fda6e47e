/**
 * Keeps token records in the secret store, one JSON text each (spec §1: salted hashes, never
 * plaintext); the store lists which of them are valid.
 */

import * as z from 'zod';
import { parsedJson } from '../../../shared/json.ts';
import { type SecretStore, SecretStoreUnavailable } from '../../access/secret-store.ts';
import { boxCredentials, scopes, type TokenRecord } from '../../access/tokens/token.ts';
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
  box: z.object({ group: z.string().nullable(), credential: z.enum(boxCredentials).default('socket') }).optional(),
});

interface TokenRecordPorts {
  readonly secrets: SecretStore;
  readonly list: TokenList;
  /** Gets problems with data that is also kept elsewhere. */
  readonly report: (error: unknown) => void;
  /** Gets the ids of records that the store doesn't list; they are ignored. */
  readonly unlisted: (ids: readonly string[]) => void;
  /** False if the store may have lost its list: then unlisted records are kept. */
  readonly mayDelete: boolean;
  readonly damaged: ReportDamage;
}

export function tokenRecordsIn({ secrets, list, report, unlisted, mayDelete, damaged }: TokenRecordPorts): TokenStore {
  async function drop(id: string): Promise<void> {
    try {
      await secrets.delete('token', id);
      await list.forget(id);
    } catch (error) {
      // The token has ended anyway; the next start tries again.
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
        // Its token is unknown from now on, so a revoked one stays refused.
        if (record === null) damaged(damagedRecord(id, secrets));
        else records.push(asListed(record, known));
      }
      const strays = ids.filter(id => !listed.has(id));
      if (strays.length > 0) unlisted(strays);
      // Left by a kill between record and list, or by an older copy of the secrets.
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

/** A token is revoked if either place says so. */
function asListed(record: TokenRecord, { revokedAt }: ListedToken): TokenRecord {
  return { ...record, revokedAt: record.revokedAt ?? revokedAt };
}

/** @returns null if the record can't be read. @throws SecretStoreUnavailable */
async function readRecord(secrets: SecretStore, id: string): Promise<TokenRecord | null> {
  const read = await secrets.read('token', id);
  if (read.kind === 'unavailable') throw new SecretStoreUnavailable(read.problem);
  const parsed = read.kind === 'found' ? recordShape.safeParse(parsedJson(read.value)) : null;
  // Another token's record in this place would be listed and revoked under the wrong id.
  return parsed?.success && parsed.data.id === id ? parsed.data : null;
}

function damagedRecord(id: string, { backend }: SecretStore): DamagedRow {
  return {
    table: 'secrets',
    row: JSON.stringify(`token/${id}`),
    meanwhile: 'that token is refused and not listed',
    remedy:
      backend === 'file'
        ? 'Restore the file from a backup, or stop Sallyport, take the row out and mint or pair a new token.'
        : 'Mint or pair a new token.',
  };
}
