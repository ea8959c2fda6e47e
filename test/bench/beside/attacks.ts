/** Statements that change something, sent to a server that was told to read only. Each is a few calls. */

import type { Shop } from './shop.ts';

export interface Attack {
  readonly name: string;
  /** @param victim the session of the application. */
  statements(victim: number): readonly string[];
}

const attack = (name: string, ...statements: readonly string[]): Attack => ({ name, statements: () => statements });

const anywhere = [
  attack('`DELETE`', 'delete from customers'),
  attack('`SELECT` of a function that writes', 'select bump()'),
  attack('`SELECT 1; DELETE`', 'select 1; delete from customers'),
  attack('`COMMIT; DELETE`', 'commit; delete from customers'),
  attack('`ROLLBACK; DELETE; COMMIT`', 'rollback; begin; delete from customers; commit'),
];

export const attacks: Readonly<Record<Shop['place']['engine'], readonly Attack[]>> = {
  postgres: [
    ...anywhere,
    attack('`WITH … DELETE`', 'with gone as (delete from customers returning id) select * from gone'),
    attack('`EXPLAIN ANALYZE DELETE`', 'explain analyze delete from customers'),
    attack('a `DO` block', 'do $$ begin delete from customers; end $$'),
    attack('`nextval`', "select nextval('numbers')"),
    attack('read-only switched off', 'set session characteristics as transaction read write', 'delete from customers'),
    attack(
      'the same by `SELECT`',
      "select set_config('default_transaction_read_only', 'off', false)",
      'delete from customers',
    ),
    {
      name: "`pg_terminate_backend` of the application's session",
      statements: victim => [`select pg_terminate_backend(${victim})`],
    },
  ],
  mysql: [
    ...anywhere,
    attack('`CALL`', 'call emptied()'),
    attack('`ANALYZE DELETE`', 'analyze delete from customers'),
    attack('`DELETE` in a comment that runs', 'select 1; /*! delete from customers */'),
    attack('read-only switched off', 'set session transaction read write', 'delete from customers'),
    { name: "`KILL` of the application's session", statements: victim => [`kill ${victim}`] },
  ],
};
