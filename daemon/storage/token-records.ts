/** Keeps token records in the secret store, one JSON text each (spec §1: salted hashes, never plaintext). */

import { z } from 'zod';
import { parsedJson } from '../../shared/json.ts';
import { type SecretStore, SecretStoreUnavailable } from '../access/secret-store.ts';
import { scopes, type TokenRecord } from '../access/token.ts';
import type { TokenStore } from '../access/token-register.ts';
import type { DamagedRow, ReportDamage } from './damaged-rows.ts';

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
});

export function tokenRecordsIn(secrets: SecretStore, report: ReportDamage = () => {}): TokenStore {
  return {
    async load() {
      const records: TokenRecord[] = [];
      for (const id of await secrets.list('token')) {
        const record = await readRecord(secrets, id);
        // Its token is unknown from here on, so one that was revoked stays refused.
        if (record === null) report(damaged(id, secrets));
        else records.push(record);
      }
      return records;
    },
    save: record => secrets.write('token', record.id, JSON.stringify(record)),
    delete: id => secrets.delete('token', id),
  };
}

/** @throws SecretStoreUnavailable; null for a record that can't be read. */
async function readRecord(secrets: SecretStore, id: string): Promise<TokenRecord | null> {
  const read = await secrets.read('token', id);
  if (read.kind === 'unavailable') throw new SecretStoreUnavailable(read.problem);
  const parsed = read.kind === 'found' ? recordShape.safeParse(parsedJson(read.value)) : null;
  // Another's record in its place would be revoked, and listed, under an id that is not its own.
  return parsed?.success && parsed.data.id === id ? parsed.data : null;
}

function damaged(id: string, { backend }: SecretStore): DamagedRow {
  return {
    ...{ table: 'secrets', row: JSON.stringify(`token/${id}`) },
    meanwhile: 'that token is refused and not listed',
    remedy:
      backend === 'file'
        ? 'Restore the file from a backup, or stop Sallyport, take the row out and mint or pair a new token.'
        : 'Mint or pair a new token.',
  };
}
