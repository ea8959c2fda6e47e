/**
 * Counts how often a call waits for the server: on a link of 150 ms each wait is felt. `WRITE=1`
 * prints the counts. `DELAY=150` adds so many milliseconds to each round trip and prints the times
 * too.
 */

import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openSlowLine, type SlowLine } from '../../servers/slow-line.ts';
import { until } from '../../waiting/until.ts';
import { describeWithThreeEngines } from './three-engines.ts';

const customers =
  "create table customer (id int primary key, name text); insert into customer values (1, 'a'), (2, 'b'), (3, 'c')";
const orders = `create table orders (id int primary key, customer int, note text,
  foreign key (customer) references customer (id) on delete cascade)`;

/**
 * The most round trips on PostgreSQL and MariaDB, once the connection and the objects of the call
 * are known.
 */
const calls: readonly (readonly [tool: string, args: Record<string, unknown>, postgres: number, mariadb: number])[] = [
  ['execute_query', { sql: 'select * from orders where id < 10' }, 1, 1],
  ['execute_query', { sql: 'select note, lower(name) from orders join customer on customer.id = customer' }, 1, 1],
  ['execute_query', { sql: "update orders set note = 'x' where id = 3" }, 6, 8],
  ['execute_query', { sql: 'delete from orders where id = 4' }, 6, 10],
  ['execute_query', { sql: 'delete from customer where id = 3' }, 7, 17],
  ['list_tables', {}, 2, 3],
  ['list_tables', { search: 'custommer' }, 3, 5],
  ['describe_table', { tables: ['orders'] }, 1, 5],
  ['describe_table', { tables: ['orders', 'customer'] }, 1, 6],
  ['preview_write', { sql: 'delete from orders where id = 5' }, 13, 20],
];

/**
 * MariaDB prepares a connection after the answer, and a statement with another time limit sets
 * that.
 */
const besides = 3;

describeWithThreeEngines('round trips', three => {
  let token: string;
  const lines = new Map<string, SlowLine>();

  beforeAll(async () => {
    await three.postgres.psql(
      `${customers}; ${orders}; insert into orders select i, 1 + i % 2, i from generate_series(1, 50) as i`,
      'shop',
    );
    await three.mariadb.client(
      `${customers}; ${orders}; insert into orders select seq, 1 + seq % 2, seq from seq_1_to_50`,
      {
        database: 'shop',
      },
    );
    for (const [name, scheme, user, { port }] of [
      ['Pg', 'postgresql', three.postgres.superuser, three.postgres],
      ['Maria', 'mariadb', three.mariadb.user, three.mariadb],
    ] as const) {
      const line = await openSlowLine(port);
      lines.set(name, line);
      line.delay(Number(process.env.DELAY ?? 0));
      const url = `${scheme}://${user}@127.0.0.1:${line.port}/shop`;
      await three.here(['connections', 'set', name, '--url', url, '--external-clients', 'read-write']);
    }
    ({ token } = await three.mint('--scope', 'full-access'));
  }, 60_000);
  afterAll(() => Promise.all([...lines.values()].map(line => line.close())));

  const ask = async (name: string, tool: string, args: Record<string, unknown>) => {
    const line = lines.get(name) as SlowLine;
    await until(async () => {
      await pause(20 + Number(process.env.DELAY ?? 0));
      return line.roundTrips() === 0;
    }, 'the line is quiet');
    const began = performance.now();
    const { json, text } = await three.call(token, tool, { connection: name, ...args });
    expect(`${tool}: ${json.result?.isError === true ? text : 'done'}`).toBe(`${tool}: done`);
    return { taken: line.roundTrips(), milliseconds: Math.round(performance.now() - began) };
  };

  test.each([
    ['Pg', 0],
    ['Maria', besides],
  ])(
    'on %s there are few',
    async (name, more) => {
      // The first call dials the connection and asks the catalogs, which are remembered afterwards.
      for (const [tool, args] of calls) await ask(name, tool, args);
      const over: string[] = [];
      for (const [tool, args, postgres, mariadb] of calls) {
        const most = name === 'Pg' ? postgres : mariadb + more;
        const { taken, milliseconds } = await ask(name, tool, args);
        if (process.env.WRITE === '1')
          process.stderr.write(`${name} ${tool} ${JSON.stringify(args)}: ${taken}, ${milliseconds} ms\n`);
        if (taken > most) over.push(`${tool} ${JSON.stringify(args)}: ${taken}, at most ${most}`);
      }
      expect(over).toEqual([]);
    },
    60_000,
  );

  test('on MariaDB the clean-up after a read is sent together with that read', async () => {
    const [tool, args] = ['execute_query', { sql: 'select count(*) from orders' }] as const;
    await ask('Maria', tool, args);
    await ask('Maria', tool, args);
    const { taken } = await ask('Maria', tool, args);
    await pause(50);
    expect(taken + (lines.get('Maria') as SlowLine).roundTrips()).toBe(1);
  });
});
