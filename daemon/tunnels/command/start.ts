/**
 * Any other tunnel: a command of the user, which gets a free port or a socket's path, or prints its
 * own port. It is up once something listens there.
 */

import { existsSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { shellWord } from '../../../shared/client-configs.ts';
import type { CommandTunnelView } from '../../../shared/control-commands.ts';
import { filledIn, portTold, tunnelWay } from '../../../shared/tunnel-command.ts';
import type { LineTarget } from '../../access/connection.ts';
import { type KeptChild, keepChild } from '../kept-child.ts';
import { makeSocketFolder, removeSocketFolder } from '../socket-folder.ts';
import { commandFailed, type RunningTunnel, type StartTunnel, TunnelFailed } from '../tunnel.ts';
import { listenForSessions } from './sessions.ts';

/** The user may have to sign in, in a browser. */
const startSeconds = 60;
const lookMilliseconds = 25;
const mostHeard = 64 * 1024;
/** cloud-sql-proxy takes a path with another ending for a folder. */
export const socketName = '.s.PGSQL.5432';

/** @param wrote gets what the command wrote to stderr, which is only for the person. */
export function startCommand(
  { command }: CommandTunnelView,
  parent: () => string,
  wrote: (text: string) => void,
): StartTunnel {
  return async (_, signal) => {
    const folder = makeSocketFolder(parent(), socketName);
    const path = join(folder, socketName);
    try {
      const way = tunnelWay(command);
      if (way === 'stdio') return await listenForSessions(filledIn(command, ''), folder, path, wrote);
      const port = way === 'port' ? await freePort() : null;
      const child = keepChild(filledIn(command, port === null ? shellWord(path) : `${port}`), folder, false);
      const at = { port: () => portIn(port), socket: () => socketAt(path), told: portHeard(child) }[way];
      return await up(child, at, signal, () => wrote(child.wrote()));
    } catch (error) {
      removeSocketFolder(folder);
      throw error;
    }
  };
}

type Place = LineTarget['at'];

async function up(
  child: KeptChild,
  look: () => Promise<Place | null>,
  signal: AbortSignal,
  told: () => void,
): Promise<RunningTunnel> {
  const deadline = performance.now() + startSeconds * 1_000;
  for (;;) {
    const at = await look();
    const how = child.how();
    if (how !== null) {
      // Its last output may come after its end.
      await wait(lookMilliseconds);
      told();
      throw commandFailed(how);
    }
    if (at !== null) return { at: () => at, failure: async () => endOf(child), ended: child.ended, end: child.end };
    if (signal.aborted || performance.now() > deadline) {
      told();
      await child.end();
      if (signal.aborted) throw new TunnelFailed('its tunnel was closed', false);
      throw commandFailed(`was not up within ${startSeconds} s`);
    }
    await Promise.race([child.ended, wait(lookMilliseconds, undefined, { ref: false })]);
  }
}

function endOf(child: KeptChild): TunnelFailed | null {
  const how = child.how();
  return how === null ? null : commandFailed(how);
}

/** Checks by connecting, as no file says that somebody listens. */
function portIn(port: number | null): Promise<Place | null> {
  const at = { host: '127.0.0.1', port: port ?? 0 };
  return new Promise(resolve => {
    const socket = connect(at);
    socket.once('connect', () => resolve(at)).once('error', () => resolve(null));
    socket.once('connect', () => socket.destroy());
  });
}

async function socketAt(path: string): Promise<Place | null> {
  if (!existsSync(path)) return null;
  // The socket file exists a moment before somebody listens on it.
  await wait(lookMilliseconds);
  return { path };
}

function portHeard(child: KeptChild): () => Promise<Place | null> {
  let output = '';
  child.onOutput(text => {
    if (output.length < mostHeard) output += text;
  });
  return async () => {
    const port = portTold(output);
    return port === null ? null : { host: '127.0.0.1', port };
  };
}

/** Nobody listens on it now. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
