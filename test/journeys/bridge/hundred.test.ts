/**
 * A hundred bridges at once on one daemon: each is its own principal, none is refused because of
 * another, and nothing remains when they go.
 */

import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { afterEach, expect } from '@jest/globals';
import { legacy, modern } from '../../bridge/bridge-process.ts';
import { RealHome } from '../../bridge/real-home.ts';
import { needsLinux } from '../../needs.ts';
import { openSockets } from '../../waiting/tcp-sockets.ts';
import { until } from '../../waiting/until.ts';

const count = 100;

let home: RealHome;
afterEach(() => home.clean());

/** Counts only sockets: a thread that starts meanwhile opens other files. */
const socketsHeld = (pid: number): number =>
  readdirSync(`/proc/${pid}/fd`).filter(name => readlinkOf(`/proc/${pid}/fd/${name}`).startsWith('socket:')).length;

function readlinkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    // Closed during the look.
    return '';
  }
}

function residentMebibytes(pid: number): number {
  const [, kibibytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kibibytes) / 1024;
}

needsLinux.test(
  'a hundred bridges at once',
  async () => {
    home = new RealHome();
    home.sallyport('start');
    home.sallyport('demo');
    const pid = home.handshake()?.pid ?? 0;
    const first = home.bridge();
    const call = (id: number) => modern(id, 'tools/call', { name: 'list_connections', arguments: {} });
    await first.ask(call(1));
    await first.stop();
    await until(() => openSockets(home.handshake()?.port ?? 0) === 0, 'its connections are closed');
    const before = { sockets: socketsHeld(pid), mebibytes: residentMebibytes(pid) };

    const bridges = Array.from({ length: count }, () => home.bridge());
    const initialize = legacy(1, 'initialize', { protocolVersion: '2025-11-25', capabilities: {} });
    for (const bridge of bridges) bridge.send(initialize);
    for (const bridge of bridges) expect((await bridge.answer(1, 120_000)).error).toBeUndefined();
    // Each principal may have eight at once; if the bridges shared one, all would be refused.
    for (const bridge of bridges) bridge.send(call(2));
    for (const bridge of bridges) expect((await bridge.answer(2, 60_000)).error).toBeUndefined();
    const during = { sockets: socketsHeld(pid), mebibytes: residentMebibytes(pid) };

    const rows: { readonly principal: string }[] = JSON.parse(
      home.sallyport('activity', '--category', 'tool', '--since', '10m', '--json'),
    );
    const principals = rows.map(({ principal }) => principal);
    expect(principals.every(principal => principal.startsWith('bridge:'))).toBe(true);
    expect(new Set(principals).size).toBe(count + 1);

    for (const bridge of bridges) bridge.child.stdin?.end();
    for (const bridge of bridges) expect(await bridge.exited).toBe(0);
    await until(() => socketsHeld(pid) <= before.sockets, 'their connections are closed');
    // What they took is given back, though on a busy machine not at once.
    await until(() => residentMebibytes(pid) < before.mebibytes + 100, 'what a hundred bridges took is given back', 60);
    expect(during.sockets).toBeGreaterThan(before.sockets + count);
    if (process.env.SALLYPORT_TEST_MEASURE === '1') {
      const after = { sockets: socketsHeld(pid), mebibytes: residentMebibytes(pid) };
      process.stderr.write(`${JSON.stringify({ before, during, after })}\n`);
    }
  },
  240_000,
);
