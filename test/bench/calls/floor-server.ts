/**
 * The least that a gateway in Node can cost: `node:http`, the driver, the rows as JSON. It has no
 * token, no policy, no protocol except the shape of the answer. Its tools: `plain`, and
 * `read_only`, which reads in a transaction that may not write, in one round trip. The variable
 * FLOOR says where it listens and what it asks: { port, database }.
 */

import { createServer } from 'node:http';
import { createPool, type RowDataPacket } from 'mysql2/promise';
import { Pool } from 'pg';
import { SqliteFile } from '../../sqlite-file.ts';
import type { Database } from './databases.ts';

type Ask = (sql: string, isReadOnly: boolean) => Promise<unknown>;

const { port, database }: { port: number; database: Database } = JSON.parse(process.env.FLOOR ?? '');
const ask = { postgres: askPostgres, mariadb: askMariadb, sqlite: askSqlite }[database.engine](database);

createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', chunk => chunks.push(chunk));
  request.on('end', async () => {
    const { id, params } = JSON.parse(Buffer.concat(chunks).toString());
    const rows = await ask(params.arguments.sql, params.name === 'read_only');
    const result = { content: [{ type: 'text', text: JSON.stringify({ rows }) }] };
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  });
}).listen(port, '127.0.0.1');

function askPostgres({ host, port, user, password, database }: Database): Ask {
  const pool = new Pool({ host, port, user, password, database, max: 10 });
  return async (sql, isReadOnly) => {
    if (!isReadOnly) return (await pool.query(sql)).rows;
    // pg returns one result per statement.
    const results: unknown = await pool.query(`BEGIN READ ONLY; ${sql}; ROLLBACK`);
    return (results as { readonly rows: unknown }[])[1]?.rows;
  };
}

function askMariadb({ host, port, user, password, database }: Database): Ask {
  const pool = createPool({ host, port, user, password, database, multipleStatements: true, connectionLimit: 10 });
  return async (sql, isReadOnly) => {
    if (!isReadOnly) return (await pool.query<RowDataPacket[]>(sql))[0];
    const [results] = await pool.query<RowDataPacket[][]>(`START TRANSACTION READ ONLY; ${sql}; ROLLBACK`);
    return results[1];
  };
}

/**
 * The file is open for reading only, and a single thread has nothing to wait for: a transaction
 * would only add two statements.
 */
function askSqlite({ database }: Database): Ask {
  const sqlite = new SqliteFile(database, { readOnly: true });
  const [begin, rollback] = ['BEGIN', 'ROLLBACK'].map(word => sqlite.prepare(word));
  return async (sql, isReadOnly) => {
    if (!isReadOnly) return sqlite.prepare(sql).all();
    begin?.run();
    const rows = sqlite.prepare(sql).all();
    rollback?.run();
    return rows;
  };
}
