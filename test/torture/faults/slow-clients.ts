/**
 * Clients that send half a request, or never read their answer: meanwhile everybody else is served.
 */

import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { modern, send } from '../../clients/http/wire.ts';
import type { Fault } from '../fault.ts';
import type { World } from '../world.ts';

const each = 40;
const graceMilliseconds = 1_000;

export const slowClients: Fault = {
  name: 'slow-clients',
  title: `${3 * each} clients that send half a request, a byte at a time, or read no answer`,
  async strike({ world, wrong, chance }) {
    const alone = await medianOf(world, 10);
    const sockets = Array.from({ length: each }, () => [half(world), unread(world, chance.word(8)), dribbling(world)]);
    const beside = await medianOf(world, 20);
    // Compared with the same machine a moment earlier, since it may have other work.
    if (beside > 3 * alone + graceMilliseconds)
      wrong(`a healthy client waited ${Math.round(beside)} ms beside slow ones, and ${Math.round(alone)} ms before`);
    for (const socket of sockets.flat()) socket.destroy();
  },
};

/** The median of so many answers, in milliseconds. */
async function medianOf(world: World, times: number): Promise<number> {
  const took: number[] = [];
  for (let asked = 0; asked < times; asked++) {
    const began = performance.now();
    await send(world.url, modern(world.token, 'tools/list'));
    took.push(performance.now() - began);
    await pause(100);
  }
  return took.sort((one, two) => one - two)[Math.floor(times / 2)] ?? 0;
}

function half(world: World): Socket {
  const socket = open(world);
  socket.write('POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Len');
  return socket;
}

/** Pauses as soon as it can: the daemon's output stays in its own buffers. */
function unread(world: World, word: string): Socket {
  const sql = `with recursive n(i) as (select 1 union all select i + 1 from n where i < 9000) select i, printf('%.*c', 200, 'x') as ${word} from n`;
  const { headers = {}, body = '' } = modern(world.token, 'tools/call', {
    name: 'execute_query',
    arguments: { connection: 'File', sql, max_rows: 9_000 },
  });
  const socket = open(world).pause();
  const all = { ...headers, Host: new URL(world.url).host, 'Content-Length': `${Buffer.byteLength(body)}` };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`POST /mcp HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
  return socket;
}

function dribbling(world: World): Socket {
  const socket = open(world);
  socket.write(`POST /mcp HTTP/1.1\r\nHost: ${new URL(world.url).host}\r\nContent-Length: 100000\r\n\r\n`);
  const timer = setInterval(() => socket.write('x'), 100);
  socket.once('close', () => clearInterval(timer));
  return socket;
}

function open(world: World): Socket {
  return connect(Number(new URL(world.url).port), '127.0.0.1').on('error', () => {});
}
