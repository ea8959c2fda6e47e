/**
 * Presents tokens under load: a token whose revocation or deletion was acknowledged must never be
 * answered again.
 */

import { setTimeout as pause } from 'node:timers/promises';
import { modern, send } from '../clients/http/wire.ts';
import type { Chance } from './chance.ts';
import type { LedgerToken } from './ledger.ts';
import type { Load } from './load.ts';

/**
 * Five within a minute lock the address out (spec §13), and the check after each fault presents
 * some too.
 */
const mostRefused = 1;

export async function beBearer(load: Load, chance: Chance): Promise<void> {
  const { ledger, url } = load.world;
  let refused = 0;
  while (!load.ended.aborted) {
    await pause(chance.between(30, 90));
    const isEnded = ({ state }: LedgerToken): boolean => state.value === 'revoked' || state.value === 'gone';
    const tokens = [...ledger.tokens.values()].filter(token => refused < mostRefused || !isEnded(token));
    if (tokens.length === 0) continue;
    const token = chance.pick(tokens);
    // What was said before the request left: a revocation during the request may or may not affect
    // it.
    const wasEnded = isEnded(token);
    try {
      const { status } = await send(url, modern(token.plaintext, 'tools/list'));
      if (status === 401) refused++;
      if (status === 200 && wasEnded) ledger.wrong.push(`the token “${token.name}”, ${token.state}, was answered`);
      load.tally.count('raw HTTP', status === 200 ? 'answered' : `HTTP ${status}`);
    } catch {
      load.tally.count('raw HTTP', 'connection lost');
    }
  }
}
