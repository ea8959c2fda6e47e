/**
 * One box's socket while it listens. A client whose first byte is `{` speaks MCP's lines; any other
 * speaks HTTP. Limits how many connect, and how long one stays silent.
 */

import { lstatSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { dirname } from 'node:path';
import type { Duplex } from 'node:stream';
import {
  type BoxFolders,
  lengthProblem,
  prepareFolder,
  removeFolder,
  socketMode,
  socketProblem,
} from './box-folder.ts';
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
/** The time in which connected clients may still hear that their box has ended. */
const farewellMilliseconds = 200;

export interface BoxSocketPorts {
  readonly folders: BoxFolders;
  /** Serves a connection that speaks HTTP. @returns false if nobody is served. */
  readonly serveHttp: (connection: Duplex) => boolean;
  readonly isServed: () => boolean;
  readonly silentMilliseconds: number;
  readonly maxLineBytes: number;
  readonly report: (error: unknown) => void;
}

export interface BoxCredential {
  /**
   * A clause if something else, or nothing, is at its path, or if as many as it may have are
   * connected; else null.
   */
  problem(): string | null;
  /**
   * Removes the credential and ends every connection that came by it.
   * @param isForGood true if the box has ended: its folder goes, too.
   */
  close(isForGood: boolean): Promise<void>;
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

  try {
    const problem =
      lengthProblem(socket) ??
      (await prepareFolder(ports.folders, socket, group)) ??
      (await listen(server, socket, group));
    if (problem !== null) return problem;
  } catch (error) {
    return `${socket} can't be made (${error instanceof Error ? error.message : String(error)})`;
  }
  // An accept that fails must not end the daemon.
  server.on('error', ports.report);
  const made = lstatSync(socket).ino;
  return {
    problem() {
      if (lstatSync(socket, { throwIfNoEntry: false })?.ino !== made)
        return 'its socket is gone, or another file is in its place; `sallyport restart` makes it anew';
      return performance.now() - fullAt < fullMilliseconds
        ? 'further programs in it are refused, as those connected are as many as a box may have; end some'
        : null;
    },
    async close(isForGood) {
      const closed = new Promise<void>(resolve => server.close(() => resolve()));
      if (isForGood) removeFolder(dirname(socket));
      if (open.size > 0) await new Promise(resolve => setTimeout(resolve, farewellMilliseconds));
      for (const connection of open) connection.destroy();
      await closed;
    },
  };
}

/**
 * The socket's mode is right from the first moment. No chmod follows, as a link may be at the path
 * by then.
 */
async function listen(server: Server, socket: string, group: string | null): Promise<string | null> {
  const bound = new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.once('listening', () => {
      server.off('error', reject);
      resolve();
    });
  });
  // The path is bound within this call, so nothing else is created under this mask.
  const former = process.umask(0o777 & ~socketMode(group));
  try {
    server.listen(socket);
  } finally {
    process.umask(former);
  }
  await bound;
  const problem = socketProblem(socket, group);
  if (problem !== null) server.close();
  return problem;
}
