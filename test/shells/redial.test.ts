/**
 * How a shell reaches a daemon whose control socket other programs of this user crowd (spec §11).
 */

import { spawn } from 'node:child_process';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type Connecting, connectToDaemon } from '../../shell-terminal/control-client.ts';
import { needsLinux } from '../needs.ts';
import { type DaemonInProcess, startDaemonInProcess } from './daemon-in-process.ts';

let daemon: DaemonInProcess;
beforeEach(async () => {
  daemon = await startDaemonInProcess();
});
afterEach(() => daemon.end());

const connecting = (controlSocket: string, proofMilliseconds: number): Promise<Connecting> =>
  connectToDaemon({
    controlSocket,
    controlSocketFolder: dirname(controlSocket),
    shellSecret: String(daemon.secrets.get('shell/secret')),
    shell: 'terminal',
    proofMilliseconds,
  });

test('pushed out before its turn, it comes again and is let in', async () => {
  const path = `${daemon.home}/crowded.sock`;
  let met = 0;
  const server = createServer(socket => {
    met += 1;
    if (met < 4) {
      // As the daemon does it, before or after it hears the challenge.
      if (met === 2) socket.once('data', () => socket.destroy());
      else socket.destroy();
      return;
    }
    const onwards = connect(daemon.socketPath);
    for (const end of [socket, onwards]) end.on('error', () => {});
    socket.pipe(onwards).pipe(socket);
  });
  await new Promise<void>(resolve => server.listen(path, resolve));
  const reached = await connecting(path, 10_000);
  if (reached.kind !== 'connected') throw new Error(JSON.stringify(reached));
  expect(await reached.client.ask('status', {})).toMatchObject({ state: 'ready' });
  expect(met).toBe(4);
  reached.client.close();
  await new Promise(resolve => server.close(resolve));
});

needsLinux.test(
  'a full queue doesn’t mean that nobody is there: it waits, and says so if it never gets in',
  async () => {
    const path = `${daemon.home}/full.sock`;
    // Stopped, so nobody is accepted and the queue fills.
    const listening = `require('net').createServer().listen({ path: ${JSON.stringify(path)}, backlog: 1 }, () => console.log('up'))`;
    const child = spawn(process.execPath, ['-e', listening], { stdio: ['ignore', 'pipe', 'ignore'] });
    const queue: Socket[] = [];
    try {
      await new Promise(resolve => child.stdout.once('data', resolve));
      child.kill('SIGSTOP');
      let isFull = false;
      while (!isFull && queue.length < 5_000) {
        const socket = connect(path);
        queue.push(socket);
        isFull = await new Promise<boolean>(resolve => {
          socket.once('connect', () => resolve(false));
          socket.once('error', () => resolve(true));
        });
      }
      expect(isFull).toBe(true);
      expect(await connecting(path, 300)).toMatchObject({ kind: 'unanswered' });
    } finally {
      child.kill('SIGKILL');
      for (const socket of queue) socket.destroy();
    }
  },
  30_000,
);

test('cut off repeatedly by something that is no daemon, it gives up in time and says so', async () => {
  const path = `${daemon.home}/cuts.sock`;
  let met = 0;
  const server: Server = createServer((socket: Socket) => {
    met += 1;
    socket.destroy();
  });
  await new Promise<void>(resolve => server.listen(path, resolve));
  expect(await connecting(path, 300)).toEqual({
    kind: 'unanswered',
    problem: 'The control socket gave no proof in time.',
  });
  expect(met).toBeGreaterThan(1);
  await new Promise(resolve => server.close(resolve));
});
