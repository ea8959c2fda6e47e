/** What is said of a server that accepts a line and then stays silent: at which step it did. */

import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import type { TlsMode } from '../../daemon/access/connection.ts';
import { CallClock } from '../../daemon/engines/call-clock.ts';
import { dialFailure } from '../../daemon/engines/mysql/failure.ts';
import { handshake } from '../../daemon/engines/mysql/wire/sign-in.ts';
import { dial } from '../../daemon/engines/postgres/dial.ts';
import { dialFailure as postgresFailure } from '../../daemon/engines/postgres/failure.ts';
import { ServersInTurn } from '../../daemon/engines/servers-in-turn.ts';
import { unknownServer } from '../../daemon/engines/unknown-server.ts';
import * as mysql from './mysql/endpoint.ts';
import * as postgres from './postgres/suite.ts';

let server: Server;
const lines = new Set<Socket>();
afterEach(() => {
  for (const line of lines) line.destroy();
  server.close();
});

/** @returns its port. */
async function silentAfter(greeted: (line: Socket) => void): Promise<number> {
  server = createServer(line => {
    lines.add(line.on('error', () => {}));
    greeted(line);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

const at = { host: '127.0.0.1', superuser: 'postgres', user: 'root' } as const;

test.each([
  ['disable', 'the sign-in'],
  ['prefer', 'the request for TLS'],
] as const)('PostgreSQL, TLS %s: no answer to %s', async (mode, step) => {
  const port = await silentAfter(() => {});
  const endpoint = postgres.endpointOf({ ...at, port }, { tls: { mode, caFile: null } });
  const dialled = dial(new ServersInTurn(endpoint), {
    identityOf: unknownServer,
    database: 'shop',
    settings: {},
    password: async () => 'secret',
    milliseconds: 300,
    clock: new CallClock(() => performance.now(), 10),
    signal: new AbortController().signal,
  });
  expect(postgresFailure('there', await dialled.catch(error => error))).toEqual({
    kind: 'not_connected',
    message: `Could not connect to PostgreSQL at there: no answer to ${step} in time.`,
    isUnanswered: true,
  });
});

/** MySQL's greeting, with TLS. */
function greet(line: Socket): void {
  const body = Buffer.concat([
    Buffer.from('\x0a8.0.36\0', 'latin1'),
    Buffer.from([1, 0, 0, 0]),
    Buffer.from('12345678\0', 'latin1'),
    Buffer.from([0xff, 0xff, 45, 2, 0, 0xff, 0xdf, 21]),
    Buffer.alloc(10),
    Buffer.from('123456789012\0mysql_native_password\0', 'latin1'),
  ]);
  line.write(Buffer.concat([Buffer.from([body.length, 0, 0, 0]), body]));
}

test.each([
  ['disable', 'with its greeting'],
  ['require', 'the TLS handshake'],
  ['disable', 'the sign-in'],
] as const)('MySQL, TLS %s: it did not answer %s', async (mode: TlsMode, step) => {
  const port = await silentAfter(step === 'with its greeting' ? () => {} : greet);
  const endpoint = mysql.endpointOf({ ...at, port }, { tls: { mode, caFile: null } });
  const wish = mode === 'disable' ? null : { mode, host: at.host, ca: null, client: null };
  const login = { endpoint, address: null, to: { client: 'test', database: null }, password: 'secret', wish };
  const limited = { ...login, identity: unknownServer(endpoint), timeoutSeconds: 0.3 };
  const result = await handshake(limited, new AbortController().signal);
  if (result.kind !== 'failed') throw new Error(result.kind);
  expect(dialFailure(endpoint, result.error)).toEqual({
    kind: 'not_connected',
    message: `The server at 127.0.0.1:${port} did not answer ${step} in time.`,
    isUnanswered: true,
  });
});
