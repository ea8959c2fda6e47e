/**
 * Keeps the hashes of the last bridge tokens over restarts (spec §5), and adds one that only a
 * handshake file still names.
 */

import { readHandshake } from '../../../shared/handshake.ts';
import { type DeadTokens, deadTokens } from '../../access/tokens/dead-tokens.ts';
import type { Store } from './store.ts';

type Tables = Pick<Store, 'knex' | 'write'>;

/**
 * @param handshakePath of a run that may have been killed before it wrote its last token's hash.
 */
export async function openBridgeTokens(
  store: Tables,
  handshakePath: string,
  now: () => number,
  report: (error: unknown) => void,
) {
  const known: { hash: string; issuedAt: number }[] = await store
    .knex('bridge_tokens')
    .select('hash', { issuedAt: 'issued_at' });
  let writing: Promise<void> = Promise.resolve();
  const tokens = deadTokens(known, now, () => {
    writing = writing.then(() => replace(store, tokens)).catch(report);
  });
  const left = readHandshake(handshakePath);
  if (left.kind === 'read') tokens.issued(left.handshake.token);
  await writing;
  return {
    ...tokens,
    /** Resolves once every issued token's hash is on disk, or its failure was reported. */
    settled: () => writing,
  };
}

async function replace({ knex, write }: Tables, tokens: DeadTokens): Promise<void> {
  const kept = tokens.kept().map(({ hash, issuedAt }) => ({ hash, issued_at: issuedAt }));
  await write(knex('bridge_tokens').delete(), knex('bridge_tokens').insert(kept));
}
