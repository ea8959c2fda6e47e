/** A table of 2,000 partitions, of which a person locks one: it is judged as one table. */

import { Client } from 'pg';
import { askedText } from '../asked.ts';
import type { Fault } from '../fault.ts';

const [branches, leaves] = [40, 50];
const rowCount = branches * leaves;
const lockSeconds = 4;
const patientSeconds = 60;
const program = 'a console of the torture';

export const bigTree: Fault = {
  name: 'big-tree',
  title: 'PostgreSQL has a table of 2,000 partitions, and a person locks one of them',
  async prepare({ postgres }) {
    if ((await postgres.ask("select to_regclass('tree') is null", 'shop')) === 'f') return;
    // One statement on all of them takes a lock on each.
    await postgres.psql('alter system set max_locks_per_transaction = 512');
    await postgres.restart();
    // In branches, as a partition is made the slower the more its table has.
    await postgres.psql(
      `create table tree (at integer, note integer) partition by range (at);
       do $$ begin for b in 0..${branches - 1} loop
         execute format('create table branch_%s partition of tree for values from (%s) to (%s) partition by range (at)',
           b, b * ${leaves}, (b + 1) * ${leaves});
         for l in b * ${leaves}..(b + 1) * ${leaves} - 1 loop
           execute format('create table leaf_%s partition of branch_%s for values from (%s) to (%s)', l, b, l, l + 1);
         end loop;
       end loop; end $$;
       insert into tree select i, 0 from generate_series(0, ${rowCount - 1}) as i`,
      'shop',
    );
  },
  async strike({ world, chance, wrong, saw }) {
    const { postgres, postgresEndpoint, connectionNames } = world;
    const asked = (sql: string, seconds = patientSeconds): Promise<string> =>
      askedText(world, connectionNames.postgres, sql, seconds);
    const holds = (what: string, said: string, isSo: boolean): void => {
      saw('table of 2,000 partitions', isSo ? 'told' : 'something else');
      if (!isSo) wrong(`${what}: ${said.slice(0, 300)}`);
    };
    const [locked, other] = [chance.below(leaves), leaves + chance.below(rowCount - leaves)];
    const note = chance.between(1, 1_000_000);
    const all = await asked('select count(*) from tree');
    holds('a count of all its rows', all, all.includes(`[["${rowCount}"]]`));
    const person = new Client({
      ...{ host: postgres.host, port: postgres.port, user: postgres.superuser, password: postgres.password },
      ...{ database: postgresEndpoint.database ?? '', application_name: program },
    });
    person.on('error', () => {});
    await person.connect();
    try {
      await person.query(`begin; lock table only leaf_${locked} in access exclusive mode`);
      const [waited, wrote] = await Promise.all([
        asked('select count(*) from tree', lockSeconds),
        asked(`update tree set note = ${note} where at = ${other}`),
      ]);
      const isTold = waited.startsWith('lock_timeout: ') && waited.includes(`It is held by "${program}"`);
      holds('a person locks one of its partitions, and a count was told', waited, isTold);
      const kept = await postgres.ask(`select note from leaf_${other}`, 'shop');
      holds('a row of another partition was changed', wrote, wrote.includes('"rows_affected":1') && kept === `${note}`);
    } finally {
      await person.end();
    }
    const later = await asked('select sum(note) from tree');
    const sum = await postgres.ask('select sum(note) from tree', 'shop');
    holds('the lock is gone', later, later.includes(`[["${sum}"]]`));
  },
};
