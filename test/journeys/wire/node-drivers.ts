/** Node's drivers over a socket: what each reads, and how each is told no. */

import knex from 'knex';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import postgres from 'postgres';

export interface Entrance {
  readonly folder: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
}

const insert = "insert into m values ('node')";

/** @returns the SQLSTATE of the refusal, or that there was none. */
async function refusal(work: PromiseLike<unknown>): Promise<string> {
  return work.then(
    () => 'WROTE',
    (error: { code?: string }) => error.code ?? String(error),
  );
}

const configOf = ({ folder, ...rest }: Entrance) => ({ host: folder, ...rest });

export async function nodePostgres(entrance: Entrance): Promise<unknown> {
  const pool = new pg.Pool({ ...configOf(entrance), max: 3 });
  const client = await pool.connect();
  try {
    const named = { name: 'one', text: 'select name from customers where id = $1' };
    const answers: unknown[] = [];
    for (const id of [1, 2]) answers.push((await client.query({ ...named, values: [id] })).rows[0].name);
    answers.push(await refusal(client.query({ name: 'write', text: 'insert into m values ($1)', values: ['x'] })));
    answers.push(await refusal(client.query({ name: 'write', text: 'insert into m values ($1)', values: ['y'] })));
    answers.push((await client.query({ ...named, values: [3] })).rows[0].name);
    await client.query('begin isolation level repeatable read');
    answers.push((await client.query('show transaction_isolation')).rows[0].transaction_isolation);
    await client.query('declare c cursor for select id from orders');
    answers.push((await client.query('fetch 5 from c')).rowCount);
    await client.query('savepoint s');
    answers.push(await refusal(client.query(insert)));
    answers.push(await refusal(client.query('select 1')));
    await client.query('rollback to s');
    answers.push((await client.query('select count(*)::integer as n from orders')).rows[0].n);
    answers.push((await client.query('commit')).command);
    const several = (await client.query('select 1 as a; select 2 as b')) as unknown as pg.QueryResult[];
    answers.push(several.map(({ rows }) => rows[0]));
    answers.push(await refusal(client.query(`select 1; ${insert}; select 2`)));
    answers.push((await client.query('select 3 as c')).rows[0].c);
    const atOnce = await Promise.all([1, 2, 3].map(n => pool.query('select $1::integer as n', [n])));
    answers.push(atOnce.map(({ rows }) => rows[0].n));
    return answers;
  } finally {
    client.release();
    await pool.end();
  }
}

export async function postgresJs(entrance: Entrance): Promise<unknown> {
  const sql = postgres({ ...configOf(entrance), max: 1, onnotice: () => {} });
  try {
    // One connection sends them together.
    const pipelined = await Promise.allSettled([sql`select 1 as a`, sql.unsafe(insert), sql`select 3 as a`]);
    const answers: unknown[] = [pipelined.map(one => (one.status === 'fulfilled' ? one.value[0]?.a : one.reason.code))];
    answers.push((await sql`select name from customers where email = ${'e3@x'}`)[0]?.name);
    answers.push(
      await sql.begin('read only', async inside => (await inside`select count(*)::int as n from orders`)[0]?.n),
    );
    answers.push(await refusal(sql`delete from orders where id = ${1}`));
    answers.push(await refusal(sql.begin(inside => inside.unsafe(insert))));
    let rows = 0;
    await sql`select * from orders`.cursor(600, page => {
      rows += page.length;
    });
    answers.push(rows);
    answers.push((await sql`select * from customers where id in ${sql([1, 2])}`).length);
    answers.push((await sql`select id from orders`.describe()).columns.length);
    return answers;
  } finally {
    await sql.end();
  }
}

export async function knexBuilder(entrance: Entrance): Promise<unknown> {
  const builder = knex({ client: 'pg', connection: configOf(entrance), pool: { min: 0, max: 2 } });
  try {
    return [
      await builder('customers').where('id', '<', 3).pluck('name').orderBy('id'),
      await builder.schema.hasTable('customers'),
      Object.keys(await builder('orders').columnInfo()),
      await builder.transaction(async inside => (await inside('orders').count({ n: '*' }))[0]?.n),
      await refusal(builder('m').insert({ a: 'k' }).returning('a')),
      await refusal(builder.transaction(inside => inside('m').insert({ a: 'k' }))),
      await refusal(builder.schema.createTable('made', table => void table.increments())),
      await builder('customers').count({ n: '*' }).first(),
    ];
  } finally {
    await builder.destroy();
  }
}

export async function kyselyBuilder(entrance: Entrance): Promise<unknown> {
  interface Tables {
    customers: { id: number; name: string };
    orders: { id: number; total: string };
    m: { a: string };
  }
  const dialect = new PostgresDialect({ pool: new pg.Pool(configOf(entrance)) });
  const builder = new Kysely<Tables>({ dialect });
  try {
    return [
      await builder.selectFrom('customers').select('name').where('id', '=', 4).executeTakeFirst(),
      (await builder.introspection.getTables()).map(({ name }) => name).sort(),
      await builder
        .transaction()
        .execute(inside => inside.selectFrom('orders').select(inside.fn.countAll().as('n')).execute()),
      await refusal(builder.deleteFrom('orders').where('id', '=', 1).execute()),
      await refusal(builder.transaction().execute(inside => inside.insertInto('m').values({ a: 'k' }).execute())),
      await builder.selectFrom('orders').select('total').where('id', '=', 4).executeTakeFirst(),
    ];
  } finally {
    await builder.destroy();
  }
}
