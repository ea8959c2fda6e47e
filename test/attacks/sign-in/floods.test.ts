/**
 * What answers in a server's place sends an error without end at the sign-in. It is left after a few
 * hundred kilobytes, and what it said reaches nobody whole (spec §6).
 */

import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { problemOf } from '../../../daemon/shells/commands/connections.ts';
import { refusalOf } from '../../../daemon/statement/failure-refusals.ts';
import { packet } from '../../engines/mysql/fake-server.ts';
import { runOn } from '../../engines/postgres/suite.ts';
import { homeWith } from './mysql-home.ts';
import { remembering } from './postgres-place.ts';
import { int32, message } from './postgres-visitor.ts';

const all = 100 * 1024 * 1024;
/** Of which the buffers of two sockets and the machine hold some. */
const mostSent = all / 4;
const some = Buffer.alloc(64 * 1024, 'x');

let server: Server;
afterEach(() => void server.close());

/** @param greets true if it speaks first. @returns its port, and how much it was rid of. */
async function flooding(first: Buffer, greets: boolean): Promise<{ port: number; sent: () => number }> {
  let sent = 0;
  server = createServer(socket => {
    socket.on('error', () => {});
    const pour = (): void => {
      while (sent < all && !socket.destroyed) {
        sent += some.length;
        if (!socket.write(some)) return void socket.once('drain', pour);
      }
    };
    const begin = (): void => {
      socket.write(first);
      pour();
    };
    if (greets) begin();
    else socket.once('data', begin);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, sent: () => sent };
}

const askPostgres = async (port: number): Promise<string> => {
  const { database } = await remembering('x', {
    engine: 'postgres',
    filePath: null,
    host: '127.0.0.1',
    port,
    user: 'anna',
    password: { kind: 'stored' },
    tls: { mode: 'disable', caFile: null },
  });
  const { outcome } = await runOn(database, 'select 1', { timeoutSeconds: 5 });
  await database.close();
  return 'message' in outcome ? outcome.message : outcome.kind;
};
const askMysql = async (port: number): Promise<string> =>
  (await homeWith({ port, tls: { mode: 'disable', caFile: null } })).client();

const fields = 'SFATAL\0VFATAL\0C28000\0M';
const said = 'x'.repeat(60_000);
const refused = Buffer.from([0xff, 0x15, 0x04]);
test.each([
  ['PostgreSQL', askPostgres, Buffer.concat([Buffer.from('E'), int32(all), Buffer.from(fields)]), false],
  [
    'PostgreSQL, once it has let us in',
    askPostgres,
    Buffer.concat([message('R', int32(0)), Buffer.from('S'), int32(all)]),
    false,
  ],
  ['PostgreSQL, of 60 KB', askPostgres, message('E', fields, said, '\0\0'), false],
  ['MySQL', askMysql, Buffer.concat([Buffer.from([0xff, 0xff, 0xff, 0]), refused]), true],
  ['MySQL, of 60 KB', askMysql, packet(0, Buffer.concat([refused, Buffer.from(said)])), true],
] as const)('as %s', async (_, ask, first, greets) => {
  const { port, sent } = await flooding(first, greets);
  const failure = { kind: 'not_connected', message: await ask(port) } as const;
  expect(failure.message).toMatch(/^Could not (?:connect|sign in) to /);
  expect(sent()).toBeLessThan(mostSent);
  const place = { name: 'Shop', host: '127.0.0.1', socketPath: null, filePath: null };
  const unchecked = { password: { kind: 'none' }, tls: { mode: 'disable', caFile: null } } as const;
  expect(problemOf(failure, { ...place, ...unchecked }).length).toBeLessThan(5_000);
  expect(JSON.stringify(refusalOf(failure, place)).length).toBeLessThan(5_000);
});
