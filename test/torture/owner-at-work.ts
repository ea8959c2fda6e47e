/**
 * The owner under load: mints, revokes, pauses, sets, saves and removes, one after another; each
 * answer is noted.
 */

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Chance } from './chance.ts';
import { Known, type Said, saidBy } from './known.ts';
import type { Load } from './load.ts';
import type { World } from './world.ts';

const mostTokens = 40;
const mostConnections = 8;

export async function beOwner(load: Load, chance: Chance): Promise<void> {
  const { world } = load;
  const acts = [mint, mint, mint, revoke, revoke, remove, set, set, set, save, save, forget];
  while (!load.ended.aborted) {
    // Seldom: it ends all requests.
    const act = chance.below(40) === 0 ? setPause : chance.pick(acts);
    const said = await act(world, chance);
    if (said !== null) load.tally.count('owner', said.kind);
    if (world.ledger.paused.value !== false) await resume(world);
    await sleep(said?.kind === 'unanswered' ? 200 : chance.between(20, 120));
  }
}

export type Act = (world: World, chance: Chance) => Promise<Said | null>;

export async function mint({ owner, ledger }: World, chance: Chance): Promise<Said | null> {
  if (ledger.tokens.size > mostTokens) return null;
  const name = `token ${chance.word(8)}`;
  const said = await saidBy(async () => {
    const minted = await owner.ask('tokens.mint', {
      ...{ name, scope: chance.pick(['readOnly', 'readWrite'] as const), connections: 'all', confirmInClient: false },
      expires: chance.pick(['never', 1, 90] as const),
    });
    ledger.tokens.set(minted.id, { id: minted.id, name, plaintext: minted.token, state: new Known('valid') });
  });
  if (said.kind === 'refused') ledger.refusedNames.add(name);
  return said;
}

export async function revoke({ owner, ledger }: World, chance: Chance): Promise<Said | null> {
  const valid = [...ledger.tokens.values()].filter(({ state }) => state.value === 'valid');
  if (valid.length === 0) return null;
  const { id, state } = chance.pick(valid);
  return state.change('revoked', () => owner.ask('tokens.revoke', { id }));
}

export async function remove({ owner, ledger }: World, chance: Chance): Promise<Said | null> {
  const known = [...ledger.tokens.values()].filter(({ state }) => state.value === 'valid' || state.value === 'revoked');
  if (known.length < 4) return null;
  const { id, state } = chance.pick(known);
  return state.change('gone', () => owner.ask('tokens.delete', { id }));
}

export async function set({ owner, ledger }: World, chance: Chance): Promise<Said | null> {
  const key = chance.pick([...ledger.settings.keys()]);
  const value = chance.between(1_000, 9_000);
  return (await ledger.settings.get(key)?.change(value, () => owner.ask('settings.set', { key, value }))) ?? null;
}

export async function setPause({ owner, ledger }: World): Promise<Said> {
  return ledger.paused.change(true, () => owner.ask('pause', {}));
}

async function resume({ owner, ledger }: World): Promise<Said> {
  return ledger.paused.change(false, () => owner.ask('resume', {}));
}

export async function save(world: World, chance: Chance): Promise<Said | null> {
  const { owner, ledger } = world;
  if (ledger.connections.size >= mostConnections) return null;
  const name = `kept ${chance.word(8)}`;
  const state = new Known<'saved' | 'gone'>('gone');
  ledger.connections.set(name, { name, state });
  const said = await state.change('saved', () =>
    owner.ask('connections.save', {
      name,
      endpoint: { ...world.postgresEndpoint, database: 'shop' },
      password: { kind: 'stored', value: randomUUID() },
    }),
  );
  if (said.kind === 'refused') ledger.refusedNames.add(name);
  return said;
}

export async function forget({ owner, ledger }: World, chance: Chance): Promise<Said | null> {
  const saved = [...ledger.connections.values()].filter(({ state }) => state.value === 'saved');
  if (saved.length === 0) return null;
  const { name, state } = chance.pick(saved);
  return state.change('gone', () => owner.ask('connections.delete', { connection: name }));
}
