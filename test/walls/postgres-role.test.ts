/**
 * A fitting role (`connections role`) runs the statements that nobody may run as a read, with the
 * classifier off: in the session for reads, and in one that may write, which a hidden function
 * would have to reach. Its gaps are compared with the superuser's and the owner's.
 */

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { PostgresRoleFacts } from '../../daemon/engines/postgres/role/facts.ts';
import { postgresStatements } from '../../daemon/engines/postgres/role/steps.ts';
import { scramVerifier } from '../../daemon/engines/postgres/role.ts';
import { needs } from '../needs.ts';
import { findPostgres, type PostgresBinaries } from '../servers/postgres.ts';
import { roleGaps } from './gaps.ts';
import { ownerPassword, postgresWorld } from './postgres-world.ts';
import { judgedThrough } from './through.ts';

const patienceMilliseconds = 240_000;

const found = findPostgres();
if ('unavailable' in found) needs(found.unavailable).test('a fitting role on PostgreSQL', () => {});
else fittingRole(found);

function fittingRole(binaries: PostgresBinaries): void {
  const all = { count: 1, withheld: [], passedOn: [] };
  const facts: PostgresRoleFacts = {
    ...{ database: 'made', presentRole: 'postgres', isTaken: false, mayCreateRoles: true },
    ...{ isOpen: true, mayPassOnConnect: true },
    schemas: [
      {
        ...{ name: 'public', isOpen: true, mayPassOnUsage: true, letsAllCreate: false, rowSecurity: 0 },
        ...{ tables: all, sequences: all, owners: [] },
      },
    ],
  };
  const role = { name: 'fits', access: 'readOnly', schemas: null, statementSeconds: 5 } as const;
  const made = postgresStatements(facts, role, scramVerifier(ownerPassword, Buffer.alloc(16, 7)));
  // Only its privileges limit it: a statement may decide how transactions begin.
  const granted = made.filter(sql => !sql.includes('default_transaction_read_only'));
  const world = postgresWorld(binaries, `${granted.join(';\n')};`, [role.name]);

  beforeAll(() => world.start(), patienceMilliseconds);
  afterAll(() => world.stop(), patienceMilliseconds);

  test(
    'in the session of a read nothing changes, and it runs what we say',
    async () => {
      const { ran, changed } = await judgedThrough(world, role.name, { session: 'read' });
      expect(changed).toEqual([]);
      expect(ran.filter(sql => !roleGaps.postgres.read.runs.includes(sql))).toEqual([]);
    },
    patienceMilliseconds,
  );

  test(
    'in a session that may write it changes only what each role may',
    async () => {
      const { ran, changed } = await judgedThrough(world, role.name, { session: 'alone' });
      // A later server lets through less. Something is seen, which proves that the look works.
      const everyRole = [
        'CREATE TEMP TABLE tmpt(id int): catalog',
        "SELECT lo_from_bytea(0, 'x'): large objects",
        'SELECT lo_create(0): large objects',
        "SELECT pg_notify('ch','x'): notifications",
      ];
      expect(changed.filter(line => !everyRole.includes(line))).toEqual([]);
      expect(changed).not.toEqual([]);
      const { runs, changes } = roleGaps.postgres.alone;
      expect(ran.filter(sql => ![...runs, ...changes].includes(sql))).toEqual([]);
    },
    patienceMilliseconds,
  );
}
