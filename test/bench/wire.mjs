/**
 * `make bench-wire`: pgbench through the door for PostgreSQL's clients, beside a pipe of Node's that
 * only passes bytes, and beside the server's own socket; in turn. Its reader judges.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { openDoor } from '../journeys/wire/door.ts';
import { program } from '../journeys/wire/programs.ts';
import { findPostgres } from '../servers/postgres.ts';
import { interleaved, print, row } from './measuring.mjs';

const rounds = Number(process.env.ROUNDS || 5);
const seconds = Number(process.env.BENCH_SECONDS || 3);

const found = findPostgres();
if ('unavailable' in found) throw new Error(found.unavailable);
const pgbench = join(found.folder, 'pgbench');
const door = await openDoor(found);
const pipeFolder = mkdtempSync('/tmp/sallyport-bench-');
const pipe = await pipeTo(door.shop.bareSocket, join(pipeFolder, '.s.PGSQL.5432'));
try {
  const owner = { ...door.bare, user: 'postgres' };
  await called(owner, ['-i', '-s', '5', '-q', '-n']);
  await door.shop.server.ask('grant select on all tables in schema public to shopper', 'shop');
  const ways = [
    ["the server's own socket", door.bare],
    ['a pipe in Node', { ...door.bare, folder: pipeFolder, port: 5432 }],
    ['the door', door.through],
  ];
  for (const clients of [1, 4]) {
    for (const mode of ['prepared', 'simple']) {
      const words = ['-S', '-n', '-M', mode, '-c', `${clients}`, '-T', `${seconds}`];
      const rates = await interleaved(
        ways.map(
          ([, entrance]) =>
            () =>
              called(entrance, words),
        ),
        rounds,
      );
      print(`pgbench -S -M ${mode}, ${clients} client(s): transactions a second, median of ${rounds}`);
      for (const [index, [name]] of ways.entries())
        row(name, rates[index].toFixed(0), `   ${(rates[index] / rates[1]).toFixed(2)} of the pipe`);
      print();
    }
  }
} finally {
  pipe.close();
  rmSync(pipeFolder, { recursive: true, force: true });
  await door.stop();
}
process.exit();

/** @returns transactions a second; 0 of an initialization. */
async function called(entrance, words) {
  const { code, stdout, stderr } = await program(entrance, pgbench, words);
  if (code !== 0 || /aborted|failed/.test(stderr)) throw new Error(`pgbench: ${stderr}`);
  return Number(/^tps = ([\d.]+)/m.exec(stdout)?.[1] ?? 0);
}

function pipeTo(server, path) {
  const pipes = createServer({ allowHalfOpen: false }, client => {
    const behind = connect(server);
    behind.on('data', bytes => client.write(bytes));
    client.on('data', bytes => behind.write(bytes));
    behind.on('close', () => client.end()).on('error', () => client.destroy());
    client.on('close', () => behind.end()).on('error', () => behind.destroy());
  });
  return new Promise(resolve => pipes.listen(path, () => resolve(pipes)));
}
