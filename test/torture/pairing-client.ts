/**
 * Extensions that pair under load: some collect their token, some never come back, a few send a
 * wrong code.
 */

import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { send } from '../clients/http/wire.ts';
import type { Chance } from './chance.ts';
import { Known } from './known.ts';
import type { Load } from './load.ts';

/** Five lock the address out for a quarter of an hour (spec §13); a load stays below that. */
const mostWrongCodes = 3;

export async function bePairing(load: Load, chance: Chance): Promise<void> {
  let wrongCodes = 0;
  while (!load.ended.aborted) {
    await pause(chance.between(200, 500));
    try {
      const isWrong = wrongCodes < mostWrongCodes && chance.below(4) === 0;
      if (isWrong) wrongCodes++;
      load.tally.count('extensions', isWrong ? await bringWrongCode(load, chance) : await pair(load, chance));
    } catch {
      load.tally.count('extensions', 'lost or refused');
    }
  }
}

async function pair({ world: { owner, ledger, url } }: Load, chance: Chance): Promise<string> {
  const verifier = chance.word(43);
  const client = `extension ${chance.word(6)}`;
  const link = `sallyport://integrations/pair?${new URLSearchParams({
    client,
    redirect: 'http://127.0.0.1:9/cb',
    scopes: 'readOnly',
    challenge: createHash('sha256').update(verifier).digest('base64url'),
  })}`;
  const { id } = await owner.ask('pairing.begin', { link, handler: null });
  const terms = { scope: 'readOnly', connections: 'all', expires: 30 } as const;
  const approved = await owner.ask('desk.decide', { ids: [id], answer: 'yes', grant: terms });
  if (approved.token === null) throw new Error('An approval named no token.');
  if (chance.below(5) === 0) {
    ledger.uncollected.set(approved.token, performance.now());
    return 'code never collected';
  }
  const code = new URL(approved.address ?? '').searchParams.get('code') ?? '';
  const { status, text } = await exchange(url, code, verifier);
  if (status !== 200) return `code refused with HTTP ${status}`;
  const plaintext: string = JSON.parse(text).token;
  ledger.tokens.set(approved.token, { id: approved.token, name: client, plaintext, state: new Known('valid') });
  return 'paired';
}

async function bringWrongCode({ world: { ledger, url } }: Load, chance: Chance): Promise<string> {
  const { status } = await exchange(url, chance.word(36), chance.word(43));
  if (status === 404) ledger.failedExchanges++;
  return status === 404 ? 'wrong code refused' : `wrong code: HTTP ${status}`;
}

function exchange(url: string, code: string, verifier: string) {
  return send(new URL('/v1/integrations/exchange', url).href, {
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ code, code_verifier: verifier }),
  });
}
