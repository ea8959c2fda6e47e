/**
 * What the owner was told is true: tokens, connections, settings and the pause are as acknowledged,
 * and refused ones don't exist.
 */

import type { TokenView } from '../../../shared/control-commands.ts';
import { modern, send } from '../../clients/http/wire.ts';
import type { World } from '../world.ts';

/** A code lives five minutes (spec §10); the rest is time for the check. */
const uncollectedMilliseconds = 330_000;
/** Five wrong ones within a minute lock the address out (spec §13). */
const mostRefused = 3;

export async function ownerWasToldTheTruth(world: World): Promise<string[]> {
  const wrong: string[] = [];
  wrong.push(...(await pauseHolds(world)));
  wrong.push(...(await tokensHold(world)));
  wrong.push(...(await connectionsHold(world)));
  wrong.push(...(await settingsHold(world)));
  return wrong;
}

async function pauseHolds({ owner, ledger }: World): Promise<string[]> {
  const { state } = await owner.ask('status', {});
  const isPaused = state === 'paused';
  const holds = ledger.paused.allows(isPaused);
  if (isPaused) await owner.ask('resume', {});
  const wrong = holds ? [] : [`paused was acknowledged as ${ledger.paused}, and is ${isPaused}`];
  ledger.paused.is(false);
  return wrong;
}

async function tokensHold({ owner, ledger, url }: World): Promise<string[]> {
  const wrong: string[] = [];
  const { tokens } = await owner.ask('tokens.list', {});
  const names = new Set(tokens.map(({ name }) => name));
  for (const name of ledger.refusedNames) if (names.has(name)) wrong.push(`the refused token “${name}” is there`);
  const listed = new Map(tokens.map(({ id, state }) => [id, state]));
  // A token with an end, made while the clock was ahead: refused until the clock gets there.
  const isEarly = (token: TokenView): boolean => token.expiresAt !== null && Date.parse(token.createdAt) > Date.now();
  const early = new Set(tokens.filter(isEarly).map(({ id }) => id));
  let refused = 0;
  for (const [id, { name, plaintext, state }] of ledger.tokens) {
    const is = listed.get(id) ?? 'gone';
    if (!state.allows(is === 'expired' ? 'valid' : is))
      wrong.push(`the token “${name}” was acknowledged as ${state}, and is ${is}`);
    if (is === 'valid' || refused < mostRefused) {
      if (is !== 'valid') refused++;
      const { status } = await send(url, modern(plaintext, 'tools/list'));
      const expected = is !== 'valid' ? 401 : early.has(id) ? 503 : 200;
      if (status !== expected) wrong.push(`the token “${name}”, ${is}, is answered with HTTP ${status}`);
    }
    state.is(is === 'expired' ? 'valid' : is);
    if (is === 'gone') ledger.tokens.delete(id);
  }
  for (const [id, approvedAt] of ledger.uncollected) {
    const isLate = performance.now() - approvedAt > uncollectedMilliseconds;
    if (listed.get(id) === 'valid') wrong.push(`a paired token whose code nobody brought is valid: ${id}`);
    if (isLate && listed.has(id)) wrong.push(`a paired token whose code nobody brought is still there: ${id}`);
    if (isLate || !listed.has(id)) ledger.uncollected.delete(id);
  }
  return wrong;
}

async function connectionsHold({ owner, ledger }: World): Promise<string[]> {
  const wrong: string[] = [];
  const names = new Set((await owner.ask('connections.list', {})).connections.map(({ name }) => name));
  for (const name of ledger.refusedNames) if (names.has(name)) wrong.push(`the refused connection “${name}” is there`);
  for (const { name, state } of ledger.connections.values()) {
    const is = names.has(name) ? 'saved' : 'gone';
    if (!state.allows(is)) wrong.push(`the connection “${name}” was acknowledged as ${state}, and is ${is}`);
    state.is(is);
    if (is === 'gone') ledger.connections.delete(name);
  }
  return wrong;
}

async function settingsHold({ owner, ledger }: World): Promise<string[]> {
  const wrong: string[] = [];
  for (const [key, known] of ledger.settings) {
    const value = Number((await owner.ask('settings.get', { key })).value);
    if (!known.allows(value)) wrong.push(`the setting ${key} was acknowledged as ${known}, and is ${value}`);
    known.is(value);
  }
  return wrong;
}
