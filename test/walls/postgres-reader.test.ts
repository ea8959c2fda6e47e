/**
 * A superuser's read as `pg_read_all_data`, with the classifier off: what the engine's wall and
 * this role together still let through.
 */

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { needs } from '../needs.ts';
import { findPostgres, type PostgresBinaries } from '../servers/postgres.ts';
import { postgresReaderRuns } from './gaps.ts';
import { postgresWorld } from './postgres-world.ts';
import { judgedThrough } from './through.ts';

const patienceMilliseconds = 240_000;

const found = findPostgres();
if ('unavailable' in found) needs(found.unavailable).test('a superuser as reader on PostgreSQL', () => {});
else superuserAsReader(found);

function superuserAsReader(binaries: PostgresBinaries): void {
  const world = postgresWorld(binaries);
  beforeAll(() => world.start(), patienceMilliseconds);
  afterAll(() => world.stop(), patienceMilliseconds);

  test(
    'it lets through what we say',
    async () => {
      const { ran, changed } = await judgedThrough(world, 'superuser', { session: 'read', mayRunAsReader: true });
      expect(changed).toEqual([]);
      expect(ran.filter(sql => !postgresReaderRuns.includes(sql))).toEqual([]);
      // Something runs, which proves that there is a session.
      expect(ran.length).toBeGreaterThan(0);
    },
    patienceMilliseconds,
  );
}
