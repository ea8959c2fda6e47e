/**
 * Relays before a real server that take READ ONLY and mean nothing by it, or refuse it, as servers
 * do that are almost MySQL or PostgreSQL.
 */

import { connect, createServer, type Server, type Socket } from 'node:net';

export interface Relay {
  readonly port: number;
  stop(): Promise<void>;
}

/** @param both called for each line; passes on what it likes. */
async function relay(to: number, both: (client: Socket, server: Socket) => void): Promise<Relay> {
  const lines = new Set<Socket>();
  const listening: Server = createServer(client => {
    const server = connect(to, '127.0.0.1');
    for (const socket of [client, server]) {
      lines.add(socket);
      socket.on('error', () => {});
    }
    client.on('close', () => server.destroy());
    server.on('close', () => client.destroy());
    both(client, server);
  });
  await new Promise<void>(resolve => listening.listen(0, '127.0.0.1', resolve));
  const address = listening.address();
  if (address === null || typeof address === 'string') throw new Error('the relay has no port');
  return {
    port: address.port,
    async stop() {
      for (const line of lines) line.destroy();
      await new Promise(resolve => listening.close(resolve));
    },
  };
}

/**
 * PostgreSQL whose transactions write though they were begun to read only.
 * @param hasNoDo true for a server that doesn't know DO.
 */
export function relayWithoutReadOnly(to: number, hasNoDo = false): Promise<Relay> {
  return relay(to, (client, server) => {
    client.on('data', bytes => {
      // Texts of the same length, so no message changes its own.
      const text = bytes.toString('latin1').replaceAll('TRANSACTION READ ONLY', `TRANSACTION${' '.repeat(10)}`);
      server.write(Buffer.from(hasNoDo ? text.replaceAll('DO $wall$', 'NO $wall$') : text, 'latin1'));
    });
    server.on('data', bytes => client.write(bytes));
  });
}

/** How the question for a table begins within a Parse message. */
const asksForTable = /(?<=\0)CREATE TEMPORARY TABLE[^\0]*/;

/** PostgreSQL without DO that falls silent when that text is sent. */
export function relaySilentAt(to: number, text: string): Promise<Relay> {
  return relay(to, (client, server) => {
    let isSilent = false;
    client.on('data', bytes => {
      const said = bytes.toString('latin1').replaceAll('DO $wall$', 'NO $wall$');
      isSilent ||= said.includes(`\0${text}`);
      if (!isSilent) server.write(Buffer.from(said, 'latin1'));
    });
    server.on('data', bytes => client.write(bytes));
  });
}

/** PostgreSQL without DO that first runs `instead` where it is asked for a table. */
export function relayOnceInstead(to: number, instead: string): Promise<Relay> {
  let isFirst = true;
  return relay(to, (client, server) => {
    client.on('data', bytes => {
      const said = bytes.toString('latin1').replaceAll('DO $wall$', 'NO $wall$');
      const replaced = isFirst ? said.replace(asksForTable, sql => instead.padEnd(sql.length)) : said;
      if (replaced !== said) isFirst = false;
      server.write(Buffer.from(replaced, 'latin1'));
    });
    server.on('data', bytes => client.write(bytes));
  });
}

const queryCommand = 3;

/** A MySQL packet: three bytes of length, a sequence number, its content. */
function packet(sequence: number, content: Buffer): Buffer {
  const head = Buffer.alloc(4);
  head.writeUIntLE(content.length, 0, 3);
  head[3] = sequence;
  return Buffer.concat([head, content]);
}

function refusal(number: number, state: string, message: string): Buffer {
  const head = Buffer.from([0xff, number & 0xff, number >> 8]);
  return packet(1, Buffer.concat([head, Buffer.from(`#${state}${message}`)]));
}

/** A MySQL or MariaDB that has an error of its own where it is first asked for a table. */
export function relayOnceRefusing(to: number, number: number): Promise<Relay> {
  let isFirst = true;
  return relay(to, (client, server) => {
    client.on('data', bytes => {
      const isAsked = isFirst && bytes.includes('CREATE TEMPORARY TABLE `sallyport_');
      if (isAsked) isFirst = false;
      if (isAsked) client.write(refusal(number, 'HY000', 'It has no memory left'));
      else server.write(bytes);
    });
    server.on('data', bytes => client.write(bytes));
  });
}

const noXa = refusal(1064, '42000', 'You have an error in your SQL syntax near "XA"');
const onlyNoop = refusal(1235, '42000', 'function READ ONLY has only noop implementation in tidb now');
const fine = packet(1, Buffer.from([0, 0, 0, 2, 0, 0, 0]));

/**
 * A MariaDB that answers as TiDB does: no XA, and transactions that only read are refused, or with
 * its setting `tidb_enable_noop_functions` taken for nothing.
 */
export function relayAsTidb(to: number, readOnly: 'refused' | 'taken for nothing'): Promise<Relay> {
  return relay(to, (client, server) => {
    let greeting: Buffer | null = Buffer.alloc(0);
    server.on('data', bytes => {
      if (greeting === null) return void client.write(bytes);
      greeting = Buffer.concat([greeting, bytes]);
      if (greeting.length < 4 || greeting.length < 4 + greeting.readUIntLE(0, 3)) return;
      const content = greeting.subarray(4);
      const named = [
        content.subarray(0, 1),
        Buffer.from('8.0.11-TiDB-v8.5.3'),
        content.subarray(content.indexOf(0, 1)),
      ];
      client.write(packet(0, Buffer.concat(named)));
      greeting = null;
    });
    let isSignedIn = false;
    let waiting = Buffer.alloc(0);
    client.on('data', bytes => {
      // A command begins anew at sequence 0; what belongs to the sign-in doesn't.
      isSignedIn ||= bytes[3] === 0;
      if (!isSignedIn) return void server.write(bytes);
      waiting = Buffer.concat([waiting, bytes]);
      while (waiting.length >= 4 && waiting.length >= 4 + waiting.readUIntLE(0, 3)) {
        const whole = waiting.subarray(0, 4 + waiting.readUIntLE(0, 3));
        waiting = waiting.subarray(whole.length);
        const sql = whole[4] === queryCommand ? whole.subarray(5).toString() : '';
        if (/^\s*XA\b/i.test(sql)) client.write(noXa);
        else if (!/read only|(?:transaction|tx)_read_only\s*=\s*1/i.test(sql)) server.write(whole);
        else if (readOnly === 'refused') client.write(onlyNoop);
        else if (/^SET SESSION TRANSACTION/i.test(sql)) client.write(fine);
        else {
          const taken = sql.replace(/ read only/i, '').replace(/, SESSION (?:transaction|tx)_read_only = 1/, '');
          server.write(packet(0, Buffer.concat([Buffer.from([queryCommand]), Buffer.from(taken)])));
        }
      }
    });
  });
}
