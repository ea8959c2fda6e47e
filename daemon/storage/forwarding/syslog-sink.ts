/**
 * Sends records to a syslog receiver on this machine: over a stream with octet counting (RFC 6587,
 * 3.4.1), or in datagrams (RFC 5426). A receiver that is frozen takes no more than its buffers.
 */

import { createSocket, type Socket as Datagrams } from 'node:dgram';
import { connect, isIPv6, type Socket } from 'node:net';
import { hostname } from 'node:os';
import type { Place } from './place.ts';
import type { Sink } from './sink.ts';
import { syslogMessage } from './syslog-message.ts';

/** A receiver that takes nothing for so long counts as frozen. */
const patienceMilliseconds = 5_000;

export function streamSink(at: Extract<Place, { kind: 'stream' }>['at'], patience = patienceMilliseconds): Sink {
  let socket: Socket | null = null;
  const end = (): void => {
    socket?.destroy();
    socket = null;
  };
  return {
    write: records =>
      within(patience, 'takes nothing', end, (resolve, reject) => {
        if (socket === null || socket.destroyed || !socket.writable) {
          end();
          socket = connect(at);
          // It has nothing to say to us; reading lets its end be noticed.
          socket.resume();
          socket.on('error', () => {});
        }
        const failed = (error: Error): void => reject(new Error(clauseOf(error)));
        const gone = (): void => reject(new Error('the syslog receiver has gone'));
        socket.once('error', failed).once('close', gone);
        const text = Buffer.concat(
          records.map(record => {
            const message = syslogMessage(record, hostname(), process.pid);
            return Buffer.concat([Buffer.from(`${message.length} `), message]);
          }),
        );
        const used = socket;
        used.write(text, error => {
          used.off('error', failed).off('close', gone);
          if (error) failed(error);
          else resolve();
        });
      }),
    close: end,
  };
}

export function datagramSink(host: string, port: number, patience = patienceMilliseconds): Sink {
  let socket: Datagrams | null = null;
  let refused: Error | null = null;
  const end = (): void => {
    socket?.close();
    socket = null;
  };
  const opened = (): Datagrams => {
    if (socket !== null) return socket;
    refused = null;
    socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4');
    // That nobody listens comes after a datagram was sent.
    socket.on('error', error => {
      refused = error;
    });
    return socket;
  };
  return {
    write: records =>
      within(patience, 'takes nothing', end, async (resolve, reject) => {
        const used = opened();
        try {
          if (!isConnected(used)) await connected(used, port, host);
          for (const record of records) await sent(used, syslogMessage(record, hostname(), process.pid));
          // Time for the refusal to come back: on one machine it is there at once.
          await new Promise(next => setTimeout(next, 20));
          if (refused !== null) throw refused;
          resolve();
        } catch (error) {
          end();
          reject(new Error(clauseOf(error as Error)));
        }
      }),
    close: end,
  };
}

function isConnected(socket: Datagrams): boolean {
  try {
    return socket.remoteAddress() !== undefined;
  } catch {
    return false;
  }
}

function connected(socket: Datagrams, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) =>
    socket.connect(port, host, (error?: Error) => (error ? reject(error) : resolve())),
  );
}

function sent(socket: Datagrams, message: Buffer): Promise<void> {
  return new Promise((resolve, reject) => socket.send(message, error => (error ? reject(error) : resolve())));
}

function within(
  milliseconds: number,
  what: string,
  end: () => void,
  work: (resolve: () => void, reject: (error: Error) => void) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      end();
      reject(new Error(`the syslog receiver ${what}`));
    }, milliseconds);
    const settle =
      <Given extends unknown[]>(as: (...given: Given) => void) =>
      (...given: Given): void => {
        clearTimeout(timer);
        as(...given);
      };
    work(settle(resolve), settle(reject));
  });
}

function clauseOf(error: Error): string {
  const code = 'code' in error ? String(error.code) : error.message;
  return code === 'ECONNREFUSED' || code === 'ENOENT'
    ? 'no syslog receiver listens there'
    : `the syslog receiver can't be reached (${code})`;
}
