/** Keeps token records in the secret store, one JSON text each (spec §1: salted hashes, never plaintext). */

import { z } from 'zod';
import { parsedJson } from '../../shared/json.ts';
import { type SecretStore, SecretStoreUnavailable } from '../access/secret-store.ts';
import { scopes, type TokenRecord } from '../access/token.ts';
import type { TokenStore } from '../access/token-register.ts';

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

export function tokenRecordsIn(secrets: SecretStore): TokenStore {
  return {
    async load() {
      const records: TokenRecord[] = [];
      for (const id of await secrets.list('token')) records.push(await readRecord(secrets, id));
      return records;
    },
    save: record => secrets.write('token', record.id, JSON.stringify(record)),
    delete: id => secrets.delete('token', id),
  };
}

async function readRecord(secrets: SecretStore, id: string): Promise<TokenRecord> {
  const read = await secrets.read('token', id);
  if (read.kind === 'unavailable') throw new SecretStoreUnavailable(read.problem);
  const parsed = read.kind === 'found' ? recordShape.safeParse(parsedJson(read.value)) : null;
  // A damaged record must not be skipped in silence: it may be the one that says a token is revoked.
  if (!parsed?.success) throw new SecretStoreUnavailable(`The record of token ${id} can't be read.`);
  return parsed.data;
}
