/**
 * A line tells a waiting person what they wait for and disappears with the answer; and all
 * connections are tested at once.
 */

import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { needs } from '../../needs.ts';
import { type RealHome, realHome } from '../../shell-terminal/real-home.ts';
import { missingForWindows, openWindow } from './tmux-window.ts';

let home: RealHome;
let server: Server;
const sockets = new Set<Socket>();
beforeAll(async () => {
  home = realHome();
  server = createServer(socket => sockets.add(socket)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  expect((await home.run(['start'])).code).toBe(0);
  const { port } = server.address() as AddressInfo;
  await home.json(['connections', 'add', `postgres://a@127.0.0.1:${port}/a`, '--name', 'Silent']);
}, 30_000);
afterAll(async () => {
  server.close();
  await home.clean();
});

/** Acts like a server that stops before it answers. */
function hangUp(): void {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
}

needs(missingForWindows()).test('a connection that doesn’t answer', async () => {
  const window = await openWindow(home, ['connections', 'test', 'Silent']);
  await window.shows(/^Connecting to Silent … \d+ s$/m);
  hangUp();
  const screen = await window.shows("Silent can't be reached", 'exit 1');
  expect(screen).not.toContain('Connecting to');
  await window.end();
});

test('all at once: a table, and exit code 1 if one is unreachable', async () => {
  await home.json(['demo']);
  const testing = home.run(['connections', 'test']);
  while (sockets.size === 0) await once(server, 'connection');
  hangUp();
  const { code, stdout, stderr } = await testing;
  expect(stdout).toMatch(
    /^NAME +ANSWERS +USER +LATENCY\nDemo +SQLite [\d.]+ +[\d.]+ ms\nSilent +Could not connect .*\n$/,
  );
  expect({ code, stderr }).toEqual({ code: 1, stderr: "sallyport: 1 of 2 can't be reached.\n" });
});
