/**
 * Everybody at once: AI clients of both SDKs over both transports, raw requests with tokens,
 * extensions that pair, the owner at work.
 */

import { beBearer } from './bearer-client.ts';
import { type Chance, chance } from './chance.ts';
import { beDatabaseClient } from './database-client.ts';
import { beOwner } from './owner-at-work.ts';
import { bePairing } from './pairing-client.ts';
import { Tally } from './tally.ts';
import type { World } from './world.ts';

export interface Load {
  readonly world: World;
  readonly tally: Tally;
  readonly ended: AbortSignal;
}

export interface RunningLoad extends Load {
  /** Resolves once everybody has gone. */
  stop(): Promise<void>;
}

const clientKinds = ['SDK v2 pinned, HTTP', 'SDK v1, HTTP', 'SDK v2 pinned, bridge', 'SDK v1, bridge'];

export function startLoad(world: World, seed: number, name: string): RunningLoad {
  const ending = new AbortController();
  const load: Load = { world, tally: new Tally(), ended: ending.signal };
  const source = (actor: string): Chance => chance(seed, `${name} ${actor}`);
  const everybody = [
    ...clientKinds.map(kind => beDatabaseClient(load, kind, world.token, source(kind))),
    beOwner(load, source('owner')),
    bePairing(load, source('pairing')),
    beBearer(load, source('bearer')),
  ];
  return {
    ...load,
    async stop() {
      ending.abort();
      await Promise.all(everybody);
    },
  };
}
