/**
 * `make demo`: a real MCP client starts the built bridge as any client does and asks the demo shop
 * questions. Everything happens in a temporary home, which is removed at the end. Exits 1 if an
 * answer is wrong.
 */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { say, sayTable } from './print.mjs';

const bin = fileURLToPath(new URL('../../build/bin/', import.meta.url));
const home = mkdtempSync(join(tmpdir(), 'sallyport-demo-'));
const environment = { ...process.env, SALLYPORT_HOME: home };

/** The first sentence of what it says: what to do next is for a home that stays. */
function sallyport(...words) {
  say.command(`sallyport ${words.join(' ')}`);
  const said = execFileSync(join(bin, 'sallyport'), words, { env: environment, stdio: ['ignore', 'pipe', 'inherit'] });
  say.remark(said.toString().split('\n', 1)[0]);
}

function expect(condition, sentence) {
  if (!condition) throw new Error(`The demo went wrong: ${sentence}`);
}

async function call(client, name, args) {
  say.question(name, args);
  const result = await client.callTool({ name, arguments: args });
  if (result.isError) say.refusal(result.content[0].text);
  return result;
}

async function converse(client) {
  const listed = await call(client, 'list_connections', {});
  const [shop] = listed.structuredContent.connections;
  sayTable(['name', 'engine', 'access'], [[shop.name, shop.engine, shop.access]]);

  const described = await call(client, 'describe_table', { connection: shop.name, table: 'payments' });
  const [payments] = described.structuredContent.tables;
  sayTable(
    ['columns of payments'],
    payments.columns.map(column => [column]),
  );

  const exact = await call(client, 'execute_query', {
    connection: shop.name,
    sql: 'SELECT id, order_id, amount, paid_at FROM payments WHERE id >= 9007199254740991 ORDER BY id LIMIT 4',
  });
  sayTable(
    exact.structuredContent.columns.map(column => column.split(' ', 1)[0]),
    exact.structuredContent.rows,
  );
  expect(
    exact.structuredContent.rows.some(row => row[0] === '9007199254740993'),
    '9007199254740993 did not arrive as it is',
  );
  say.remark('64-bit ids arrive exactly: 9007199254740993 is beyond what a JavaScript number can hold.');

  const refused = await call(client, 'execute_query', { connection: shop.name, sql: 'DELETE FROM payments' });
  expect(refused.isError === true, 'a DELETE was not refused');
  const count = await call(client, 'execute_query', {
    connection: shop.name,
    sql: 'SELECT count(*) AS payments FROM payments',
  });
  sayTable(['payments'], count.structuredContent.rows);
  expect(Number(count.structuredContent.rows[0][0]) > 0, 'the payments are gone');
  say.remark('The write was refused, and every payment is still there.');

  const cut = await call(client, 'execute_query', {
    connection: shop.name,
    sql: 'SELECT customers.id, name, city FROM customers JOIN addresses ON customer_id = customers.id ORDER BY customers.id',
    max_rows: 5,
  });
  sayTable(
    cut.structuredContent.columns.map(column => column.split(' ', 1)[0]),
    cut.structuredContent.rows,
  );
  expect(cut.structuredContent.truncated === true, 'a long result was not cut');
  say.remark(`truncated: ${cut.structuredContent.truncated_because}`);
}

async function main() {
  say.heading('A Sallyport of its own, in a temporary home');
  sallyport('start');
  sallyport('demo');

  say.heading('An MCP client starts the bridge, by its path alone');
  const client = new Client({ name: 'sallyport-demo', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
  const transport = new StdioClientTransport({
    command: join(bin, 'sallyport-mcp'),
    env: { SALLYPORT_HOME: home },
    stderr: 'ignore',
  });
  await client.connect(transport);
  try {
    say.remark(`connected to ${client.getServerVersion()?.name} ${client.getServerVersion()?.version}`);
    await converse(client);
  } finally {
    await client.close();
  }
}

let status = 0;
try {
  await main();
} catch (error) {
  status = 1;
  say.failure(error);
} finally {
  say.heading('Everything stops');
  try {
    sallyport('stop');
  } catch (error) {
    status = 1;
    say.failure(error);
  }
  rmSync(home, { recursive: true, force: true });
}
if (status === 0) say.next('`make install`, then `sallyport setup`.');
process.exit(status);
