/**
 * Ways to write through the door for PostgreSQL's clients: on a server without the door they write,
 * which proves that they are ways.
 */

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { needs } from '../needs.ts';
import { findPostgres } from '../servers/postgres.ts';
import { type Entrance, play } from './wire/play.ts';
import { openShop, type Shop } from './wire/shop.ts';
import { type Sent, ways } from './wire/walls.ts';

const found = findPostgres();
const patienceMilliseconds = 240_000;

needs('unavailable' in found ? found.unavailable : null).describe('ways to write', () => {
  let shop: Shop;
  beforeAll(async () => {
    if (!('unavailable' in found)) shop = await openShop(found);
  }, patienceMilliseconds);
  afterAll(() => shop?.stop());

  const placed = (sends: readonly Sent[]): Sent[] =>
    sends.map(
      ([kind, ...texts]) =>
        [
          kind,
          ...texts.map(text =>
            text.replaceAll('FOLDER', shop.server.socketFolder).replaceAll('PORT', `${shop.server.port}`),
          ),
        ] as const,
    );

  async function writing(entrance: Entrance, given: typeof ways): Promise<string[]> {
    const wrote: string[] = [];
    let before = await shop.state();
    for (const [name, ...sends] of given) {
      await play(entrance, placed(sends));
      if ((await shop.state()) === before) continue;
      wrote.push(name);
      await shop.reset();
      before = await shop.state();
    }
    return wrote;
  }

  test(
    'write on the server itself',
    async () => {
      const bare = { path: shop.bareSocket, user: shop.server.superuser, database: 'shop' };
      const wrote = await writing(bare, ways);
      console.log(ways.map(([name]) => name).filter(name => !wrote.includes(name)));
      expect(ways).toHaveLength(49);
    },
    patienceMilliseconds,
  );
});
