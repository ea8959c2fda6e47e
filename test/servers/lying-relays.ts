/**
 * Relays before a real server that change what passes, as servers answer that are almost MySQL or
 * PostgreSQL.
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

/** Cuts a stream into whole messages. @param size of the first; null if it can't be told yet. */
function whole(size: (bytes: Buffer) => number | null, each: (message: Buffer) => void): (bytes: Buffer) => void {
  let waiting = Buffer.alloc(0);
  return bytes => {
    waiting = Buffer.concat([waiting, bytes]);
    for (let length = size(waiting); length !== null && waiting.length >= length; length = size(waiting)) {
      const message = waiting.subarray(0, length);
      waiting = waiting.subarray(length);
      each(message);
    }
  };
}

/** What becomes of a statement instead: another text, silence or the end of the line. */
export type Instead = string | 'silence' | 'close';

export interface PostgresLie {
  /** Of each statement, in the order of their arrival. */
  readonly rewrite?: (sql: string) => Instead;
  /** `server_version`, as the start-up tells it. */
  readonly version?: string;
  readonly ignoresCancel?: boolean;
  /** Start-up parameters that it passes over. */
  readonly ignoresSettings?: boolean;
  /** Until the server answers the start-up. */
  readonly wakesAfterMilliseconds?: number;
}

const cancelCode = 80_877_102;

/** PostgreSQL's messages: a letter, a length that counts itself, the rest. */
const typed = (bytes: Buffer): number | null => (bytes.length < 5 ? null : 1 + bytes.readUInt32BE(1));

function message(letter: string, body: Buffer): Buffer {
  const head = Buffer.from(`${letter}0000`);
  head.writeUInt32BE(4 + body.length, 1);
  return Buffer.concat([head, body]);
}

export function relayPostgres(to: number, lie: PostgresLie): Promise<Relay> {
  const { rewrite = sql => sql, version, wakesAfterMilliseconds = 0 } = lie;
  return relay(to, (client, server) => {
    let isStarted = false;
    let isSilent = false;
    const size = (bytes: Buffer): number | null =>
      isStarted ? typed(bytes) : bytes.length < 8 ? null : bytes.readUInt32BE(0);
    const start = (first: Buffer): void => {
      const isCancel = first.readUInt32BE(4) === cancelCode;
      if (isCancel && lie.ignoresCancel === true) return void client.destroy();
      isStarted = true;
      const settings = first.toString('latin1').replace(/\b(options|statement_timeout)\0[^\0]*\0/g, '');
      const body = lie.ignoresSettings === true ? Buffer.from(settings.slice(4), 'latin1') : first.subarray(4);
      const head = Buffer.alloc(4);
      head.writeUInt32BE(4 + body.length);
      setTimeout(() => server.write(Buffer.concat([head, body])), wakesAfterMilliseconds);
    };
    const pass = (given: Buffer): void => {
      if (given[0] !== 'P'.charCodeAt(0)) return void server.write(given);
      const [end, after] = [given.indexOf(0, 5), given.indexOf(0, given.indexOf(0, 5) + 1)];
      const sql = given.subarray(end + 1, after).toString();
      const instead = rewrite(sql);
      isSilent ||= instead === 'silence';
      if (instead === 'close') client.destroy();
      else if (instead === sql) server.write(given);
      else if (!isSilent)
        server.write(
          message('P', Buffer.concat([given.subarray(5, end + 1), Buffer.from(instead), given.subarray(after)])),
        );
    };
    client.on(
      'data',
      whole(size, given => {
        if (!isStarted) start(given);
        else if (!isSilent) pass(given);
      }),
    );
    if (version === undefined) server.on('data', bytes => client.write(bytes));
    else {
      const named = message('S', Buffer.from(`server_version\0${version}\0`));
      server.on(
        'data',
        whole(typed, given => client.write(given.includes('server_version\0') ? named : given)),
      );
    }
  });
}

/** Rewrites a statement once; afterwards it is honest. */
export function once<Answer>(rewrite: (sql: string) => Answer | string): (sql: string) => Answer | string {
  let isFirst = true;
  return sql => {
    const instead = isFirst ? rewrite(sql) : sql;
    if (instead !== sql) isFirst = false;
    return instead;
  };
}

const withoutDo = (sql: string): string => sql.replace('DO $wall$', 'NO $wall$');

/**
 * PostgreSQL whose transactions write though they were begun to read only.
 * @param hasNoDo true for a server that doesn't know DO.
 */
export function relayWithoutReadOnly(to: number, hasNoDo = false): Promise<Relay> {
  const rewrite = (sql: string) => sql.replace('TRANSACTION READ ONLY', 'TRANSACTION');
  return relayPostgres(to, { rewrite: hasNoDo ? sql => rewrite(withoutDo(sql)) : rewrite });
}

/** PostgreSQL without DO that falls silent when that text is sent. */
export function relaySilentAt(to: number, text: string): Promise<Relay> {
  return relayPostgres(to, { rewrite: sql => (sql.startsWith(text) ? 'silence' : withoutDo(sql)) });
}

/** PostgreSQL without DO that first runs `instead` where it is asked for a table. */
export function relayOnceInstead(to: number, instead: string): Promise<Relay> {
  const inPlace = once(sql => (sql.startsWith('CREATE TEMPORARY TABLE') ? instead : sql));
  return relayPostgres(to, { rewrite: sql => withoutDo(inPlace(sql)) });
}

const queryCommand = 3;

/** A MySQL packet: three bytes of length, a sequence number, its content. */
function packet(sequence: number, content: Buffer): Buffer {
  const head = Buffer.alloc(4);
  head.writeUIntLE(content.length, 0, 3);
  head[3] = sequence;
  return Buffer.concat([head, content]);
}

const packetSize = (bytes: Buffer): number | null => (bytes.length < 4 ? null : 4 + bytes.readUIntLE(0, 3));

/** An error packet as the answer to a command. */
export function refusal(number: number, state: string, said: string): Buffer {
  const head = Buffer.from([0xff, number & 0xff, number >> 8]);
  return packet(1, Buffer.concat([head, Buffer.from(`#${state}${said}`)]));
}

/** A command that did nothing and changed no row. */
export const fine = packet(1, Buffer.from([0, 0, 0, 2, 0, 0, 0]));

export interface MysqlLie {
  /** The version in the greeting. */
  readonly version?: string;
  /** A buffer is the answer; a text is asked instead. */
  readonly rewrite?: (sql: string) => Instead | Buffer;
}

export function relayMysql(to: number, { version, rewrite = sql => sql }: MysqlLie): Promise<Relay> {
  return relay(to, (client, server) => {
    let isGreeted = version === undefined;
    const fromServer = whole(packetSize, given => {
      if (isGreeted) return void client.write(given);
      isGreeted = true;
      const content = given.subarray(4);
      const rest = content.subarray(content.indexOf(0, 1));
      client.write(packet(0, Buffer.concat([content.subarray(0, 1), Buffer.from(version ?? ''), rest])));
    });
    server.on('data', bytes => (isGreeted ? client.write(bytes) : fromServer(bytes)));
    let isSignedIn = false;
    let isSilent = false;
    const command = whole(packetSize, given => {
      const sql = given[4] === queryCommand ? given.subarray(5).toString() : '';
      const instead = sql === '' ? sql : rewrite(sql);
      isSilent ||= instead === 'silence';
      if (isSilent) return;
      if (instead === 'close') client.destroy();
      else if (Buffer.isBuffer(instead)) client.write(instead);
      else if (instead === sql) server.write(given);
      else server.write(packet(0, Buffer.concat([Buffer.from([queryCommand]), Buffer.from(instead)])));
    });
    client.on('data', bytes => {
      // A command begins anew at sequence 0; what belongs to the sign-in doesn't.
      isSignedIn ||= bytes[3] === 0;
      if (isSignedIn) command(bytes);
      else server.write(bytes);
    });
  });
}

/** A MySQL or MariaDB that has an error of its own where it is first asked for a table. */
export function relayOnceRefusing(to: number, number: number): Promise<Relay> {
  let isFirst = true;
  const rewrite = (sql: string): string | Buffer => {
    if (!isFirst || !sql.includes('CREATE TEMPORARY TABLE `sallyport_')) return sql;
    isFirst = false;
    return refusal(number, 'HY000', 'It has no memory left');
  };
  return relayMysql(to, { rewrite });
}

const setsReadOnly = /read only|(?:transaction|tx)_read_only\s*=\s*1/i;

/** Takes READ ONLY for nothing; MariaDB's answers say so in their flags. */
export function withoutReadOnly(sql: string): string | Buffer {
  if (!setsReadOnly.test(sql)) return sql;
  if (/^SET SESSION TRANSACTION/i.test(sql)) return fine;
  return sql.replace(/ read only/i, '').replace(/, SESSION (?:transaction|tx)_read_only = 1/, '');
}

export function refusingReadOnly(number: number, said: string): (sql: string) => string | Buffer {
  return sql => (setsReadOnly.test(sql) ? refusal(number, '42000', said) : sql);
}

const noXa = refusal(1064, '42000', 'You have an error in your SQL syntax near "XA"');
export const lackingXa = (sql: string): string | Buffer => (/^\s*XA\b/i.test(sql) ? noXa : sql);

/**
 * A MariaDB that answers as TiDB does: no XA, and transactions that only read are refused, or with
 * its setting `tidb_enable_noop_functions` taken for nothing.
 */
export function relayAsTidb(to: number, readOnly: 'refused' | 'taken for nothing'): Promise<Relay> {
  const noop = 'function READ ONLY has only noop implementation in tidb now';
  const read = readOnly === 'refused' ? refusingReadOnly(1235, noop) : withoutReadOnly;
  const rewrite = (sql: string): string | Buffer => {
    const answer = lackingXa(sql);
    return typeof answer === 'string' ? read(answer) : answer;
  };
  return relayMysql(to, { version: '8.0.11-TiDB-v8.5.3', rewrite });
}
