/**
 * A tunnel whose command is itself the line, over stdin and stdout: a socket that only this user
 * may open, and a process per session.
 */

import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { type KeptChild, keepChild } from '../kept-child.ts';
import { makeSocketFolder, removeSocketFolder } from '../socket-folder.ts';
import { commandFailed, type RunningTunnel } from '../tunnel.ts';

const restMilliseconds = 100;

/** @param folder holds the socket, and is removed at the end. */
export async function listenForSessions(
  command: string,
  folder: string,
  path: string,
  wrote: (text: string) => void,
): Promise<RunningTunnel> {
  const children = new Set<KeptChild>();
  const sessions = new Set<Socket>();
  let lastEnd: string | null = null;

  function open(session: Socket): void {
    // The shell beside the command removes the folder that it is told; the socket's folder serves
    // all sessions.
    const child = keepChild(command, makeSocketFolder(folder, ''), true);
    children.add(child);
    sessions.add(session);
    session.on('error', () => {});
    session.once('close', () => {
      sessions.delete(session);
      void child.end();
    });
    if (child.stdin !== null) session.pipe(child.stdin);
    child.stdout.pipe(session);
    void child.ended.then(() => {
      children.delete(child);
      lastEnd = child.how();
      wrote(child.wrote());
      // Its last output is still on the way. A line into an ended program never sees the other
      // side's end.
      setTimeout(() => session.destroy(), restMilliseconds).unref();
    });
  }

  const server = createServer(open);
  server.listen(path);
  await once(server, 'listening');
  const ended = once(server, 'close').then(() => {});
  return {
    at: () => ({ path }),
    async failure() {
      const how = lastEnd;
      lastEnd = null;
      return how === null ? null : commandFailed(how);
    },
    ended,
    async end() {
      server.close();
      await Promise.all([...children].map(child => child.end()));
      for (const session of sessions) session.destroy();
      await ended;
      removeSocketFolder(folder);
    },
  };
}
