/**
 * One box's socket while it listens. A client whose first byte is `{` speaks MCP's lines; any other
 * speaks HTTP. Limits how many connect, and how long one stays silent.
 */

import { createServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type BoxCredential, bindSocket } from './bound-socket.ts';
import type { BoxFolders } from './box-folder.ts';
import { openingBrace, sayFull } from './full-box.ts';
import { speakLines } from './speak-lines.ts';

/** Each may hold some 12 MB of lines, and a box may be hostile. */
const connectionsOfLines = 16;
/** Out of the listener's 1,280, so a box can't take what others need. */
const connectionsOfBox = 64;
/** Beyond them, so many at once are told that the box is full; more are closed without a word. */
const toldAtOnce = 8;
const tellMilliseconds = 1_000;
/** How long the person is told that the box was full. */
const fullMilliseconds = 60_000;

export interface BoxSocketPorts {
  readonly folders: BoxFolders;
  /** Serves a connection that speaks HTTP. @returns false if nobody is served. */
  readonly serveHttp: (connection: Duplex) => boolean;
  readonly isServed: () => boolean;
  readonly silentMilliseconds: number;
  readonly maxLineBytes: number;
  readonly report: (error: unknown) => void;
}

/** @returns the door, or a clause on why there is none and what to do. */
export async function openBoxSocket(
  socket: string,
  group: string | null,
  ports: BoxSocketPorts,
): Promise<BoxCredential | string> {
  const open = new Set<Socket>();
  const told = new Set<Socket>();
  let lines = 0;
  let fullAt = Number.NEGATIVE_INFINITY;

  const refuseFull = (connection: Socket, most: number, first: Buffer): void => {
    fullAt = performance.now();
    sayFull(connection, first, most);
    setTimeout(() => connection.destroy(), tellMilliseconds).unref();
  };

  // A client that has sent all its requests still reads the answers.
  const server = createServer({ allowHalfOpen: true }, connection => {
    if (!ports.isServed() || told.size >= toldAtOnce) return void connection.destroy();
    if (open.size >= connectionsOfBox) {
      told.add(connection);
      connection.on('error', () => {});
      connection.once('close', () => told.delete(connection));
      connection.once('data', first => refuseFull(connection, connectionsOfBox, first));
      setTimeout(() => connection.destroy(), tellMilliseconds).unref();
      return;
    }
    open.add(connection);
    const silent = setTimeout(() => connection.destroy(), ports.silentMilliseconds);
    connection.on('error', () => {});
    connection.once('close', () => {
      clearTimeout(silent);
      open.delete(connection);
    });
    const leave = (): void => void connection.end();
    connection.once('end', leave);
    connection.once('data', first => {
      connection.off('end', leave);
      clearTimeout(silent);
      if (first[0] === openingBrace && lines >= connectionsOfLines)
        return refuseFull(connection, connectionsOfLines, first);
      connection.pause();
      connection.unshift(first);
      if (first[0] !== openingBrace) ports.serveHttp(connection);
      else {
        lines++;
        connection.once('close', () => lines--);
        speakLines(connection, ports);
      }
      connection.resume();
    });
  });

  const bound = await bindSocket(server, socket, group, ports, open);
  if (typeof bound === 'string') return bound;
  return {
    ...bound,
    problem: () =>
      bound.problem() ??
      (performance.now() - fullAt < fullMilliseconds
        ? 'further programs in it are refused, as those connected are as many as a box may have; end some'
        : null),
  };
}
