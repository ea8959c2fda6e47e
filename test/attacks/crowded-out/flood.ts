/**
 * A program that keeps the control socket of a home, or the bridges' limits, crowded, run by itself: node flood.ts HOME KIND
 * COUNT [PID...]. It opens connections anew as fast as they are cut, and says "full" on stdout once
 * it has had as many. With process ids it claims them in turn for its own.
 */

import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { modern } from '../../bridge/bridge-process.ts';
import { provedPeer, type RawPeer, rawPeer, request } from '../../shells/raw-peer.ts';

const [home = '', kind = '', count = '64', ...pids] = process.argv.slice(2);
const path = join(home, 'control.sock');
const most = Number(count);
const secret = (): string =>
  String(JSON.parse(readFileSync(join(home, 'secrets.json'), 'utf8')).secrets['shell/secret']);
let opened = 0;
const moment = (): Promise<void> => new Promise(resolve => setTimeout(resolve, 1));

function told(): void {
  opened += 1;
  if (opened === most) process.stdout.write('full\n');
}

/** Asks for what needs the passphrase, so a person would be shown a question. */
async function asking(index: number): Promise<RawPeer> {
  const pid = pids.length > 0 ? Number(pids[index % pids.length]) : process.pid;
  const shell = await provedPeer(path, secret(), { pid, shell: `shell-${index}` });
  shell.peer.write(`${shell.line(1, request('resume'))}\n`);
  await shell.peer.nextLine();
  return shell.peer;
}

async function idle(index: number): Promise<RawPeer> {
  const pid = pids.length > 0 ? Number(pids[index % pids.length]) : process.pid;
  return (await provedPeer(path, secret(), { pid, shell: `shell-${index}` })).peer;
}

async function saying(text: string): Promise<RawPeer> {
  const peer = await rawPeer(path);
  peer.write(text);
  return peer;
}

let refused = 0;

/** As a bridge, under another name each time, as each bridge has its own. */
async function calling(message: unknown, headers: Record<string, string>): Promise<Response> {
  const { port, token } = JSON.parse(readFileSync(join(home, 'mcp-handshake.json'), 'utf8'));
  const pid = pids.length > 0 ? pids[refused % pids.length] : process.pid;
  return fetch(`http://127.0.0.1:${port}/mcp`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      Authorization: `Bearer ${token}`,
      ...headers,
      'Sallyport-Bridge': `pid-${pid}-${Math.random().toString(36).slice(2).padEnd(12, '0')}`,
    },
    body: JSON.stringify(message),
  });
}

/** @returns once it was answered. */
async function renaming(): Promise<void> {
  const { status } = await calling(request('tools/list', {}), { 'MCP-Protocol-Version': '2025-06-18' });
  if (status !== 429) return;
  refused += 1;
  told();
}

/** Calls what asks its person. @returns once it was answered. */
async function questions(): Promise<void> {
  const name = 'execute_query';
  const call = { name, arguments: { connection: 'Books', sql: 'select 1' } };
  const headers = { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/call', 'Mcp-Name': name };
  const answer = await calling(modern(1, 'tools/call', call), headers);
  if (!(await answer.text()).includes('Too many of your questions')) return;
  refused += 1;
  told();
}

const kinds: Record<string, (index: number) => Promise<RawPeer | null>> = {
  asking,
  idle,
  silent: () => saying(''),
  half: () => saying('{"jsonrpc":"2.0","id":1,"method":"ident'),
  renaming: async () => {
    await renaming();
    return null;
  },
  questions: async () => {
    await questions();
    return null;
  },
  status: () => saying(`${JSON.stringify(request('status'))}\n`),
};

/** Opened and closed at once. */
function churn(): void {
  const socket = connect(path);
  const again = (): void => void setImmediate(churn);
  socket.once('connect', () => {
    told();
    socket.destroy();
  });
  socket.on('error', () => {});
  socket.once('close', again);
}

async function keep(index: number): Promise<void> {
  for (;;) {
    try {
      const peer = await kinds[kind]?.(index);
      if (kind !== 'renaming' && kind !== 'questions') told();
      await peer?.closed;
    } catch {
      // The queue is full.
    }
    await moment();
  }
}

for (let index = 0; index < most; index++) {
  if (kind === 'churn') churn();
  else void keep(index);
}
