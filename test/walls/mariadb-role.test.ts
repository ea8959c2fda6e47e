/**
 * A fitting user (`connections role`) runs the statements that nobody may run as a read, with the
 * classifier off: in the session for reads, and in one that may write.
 */

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { needs } from '../needs.ts';
import { mariadbUnavailable } from '../servers/mariadb.ts';
import { roleGaps } from './gaps.ts';
import { mariadbWorld, userPassword } from './mariadb-world.ts';
import { judgedThrough } from './through.ts';

const patienceMilliseconds = 240_000;
const name = 'fits';
const made = `CREATE USER '${name}'@'%' IDENTIFIED BY '${userPassword}'; GRANT SELECT, SHOW VIEW ON adv.* TO '${name}'@'%'`;

needs(mariadbUnavailable()).describe('a fitting user on MariaDB', () => {
  const world = mariadbWorld({ name, made });
  beforeAll(() => world.start(), patienceMilliseconds);
  afterAll(() => world.stop(), patienceMilliseconds);

  test.each(['read', 'alone'] as const)(
    'in a session of the kind %s it changes nothing, and lets through what we say',
    async session => {
      const { ran, changed } = await judgedThrough(world, name, { session });
      expect(changed).toEqual([]);
      expect(ran.filter(sql => !roleGaps.mysql[session].runs.includes(sql))).toEqual([]);
      // Something runs, which proves that there is a session.
      expect(ran).not.toEqual([]);
    },
    patienceMilliseconds,
  );
});
