/**
 * What a program of this user without the shell secret can do on the control socket of a real
 * daemon (spec §11): nothing, and it costs the daemon nothing. The tests look at the daemon's
 * process: its open files, its memory, and whether it still answers people.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { lineProof, newNonce, shellProof } from '../../shared/proofs.ts';
import { needsLinux } from '../needs.ts';
import { type RealHome, realHome } from '../shell-terminal/real-home.ts';
import { provedPeer, rawPeer, request } from '../shells/raw-peer.ts';
import { until } from '../waiting/until.ts';

let home: RealHome;
let other: RealHome;
beforeAll(async () => {
  [home, other] = [realHome(), realHome()];
  for (const each of [home, other]) {
    const started = await each.run(['start']);
    if (started.code !== 0) throw new Error(started.stderr);
  }
}, 60_000);
afterAll(async () => {
  for (const each of [home, other]) {
    await each?.run(['stop']);
    await each?.clean();
  }
}, 30_000);

const socketOf = ({ home: folder }: RealHome): string => join(folder, 'control.sock');
/** A test may read it; an attacker can't if it is in a keychain (SECURITY.md). */
const secretOf = ({ home: folder }: RealHome): string =>
  String(JSON.parse(readFileSync(join(folder, 'secrets.json'), 'utf8')).secrets['shell/secret']);
const identify = () => request('identify', { protocol: '2', nonce: newNonce() });
const challenge = (nonce = newNonce()) => request('shell.challenge', { protocol: '2', nonce, shell: 'terminal' });

const pid = (): number => home.daemons()[0] ?? 0;
const openFiles = (): number => readdirSync(`/proc/${pid()}/fd`).length;
const residentMegabytes = (): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid()}/status`, 'utf8'))?.[1]) / 1_024;

/** The process's own time, so a busy machine doesn't matter. */
const processorSeconds = (): number => {
  const fields = readFileSync(`/proc/${pid()}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
};

/** Sends bytes and returns everything that came back until the daemon hung up. */
async function saidTo(bytes: string | Buffer): Promise<string> {
  const socket = connect(socketOf(home));
  let heard = '';
  socket.on('data', chunk => {
    heard += chunk;
  });
  socket.on('error', () => {});
  socket.write(bytes);
  await new Promise(resolve => socket.once('close', resolve));
  return heard;
}
const line = (message: unknown): string => `${JSON.stringify(message)}\n`;

describe('is hung up on, and has no effect', () => {
  test.each<[string, string | Buffer, RegExp]>([
    ['malformed JSON', '{"jsonrpc":"2.0",\n', /^$/],
    ['a line of 1 MiB and a byte', Buffer.alloc(1_048_577, 'x'), /^$/],
    ['a line of 1 MiB and a byte, with its end', `${'x'.repeat(1_048_577)}\n`, /^$/],
    ['a batch', line([identify(), request('stop')]), /^$/],
    ['a notification', line({ jsonrpc: '2.0', method: 'stop' }), /^$/],
    ['an answer', line({ jsonrpc: '2.0', id: 1, result: {} }), /^$/],
    ['JSON-RPC 1.0', line({ ...identify(), jsonrpc: '1.0' }), /^$/],
    ['no id at all', line({ ...identify(), id: null }), /^$/],
    ['a sealed line without a session', line({ counter: 1, mac: newNonce(), message: line(request('stop')) }), /^$/],
    ['brackets without end', '['.repeat(4_000).concat('\n'), /^$/],
    ['HTTP', 'POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n', /^$/],
    // Only what takes away needs no proof (test/attacks/brakes).
    ['a command before the proof', line(request('resume')) + line(request('resume')), /^[^\n]*-33009[^\n]*\n$/],
    ['a proof before the challenge', line(request('shell.prove', { proof: newNonce() })), /^[^\n]*-33009[^\n]*\n$/],
    ['a method of every object', line(request('__proto__')), /^[^\n]*-33009[^\n]*\n$/],
    [
      'another protocol',
      line(request('identify', { protocol: '2.0', nonce: newNonce() })) + line(request('stop')),
      /^[^\n]*-32022[^\n]*\n$/,
    ],
    [
      'a guessed proof and a command behind it',
      line(challenge()) + line(request('shell.prove', { proof: newNonce() })) + line(request('stop')),
      /^[^\n]*"proof"[^\n]*\n[^\n]*-33009[^\n]*\n$/,
    ],
    ['two challenges', line(challenge()) + line(challenge()), /^[^\n]*"proof"[^\n]*\n[^\n]*-33009[^\n]*\n$/],
  ])(
    '%s',
    async (_what, bytes, answered) => {
      expect(await saidTo(bytes)).toMatch(answered);
      expect(await home.json(['status'])).toMatchObject({ pid: pid(), state: 'ready' });
    },
    30_000,
  );

  test('a half-open connection, before and after it was answered', async () => {
    for (const bytes of ['', line(identify()), '{"half']) {
      const socket = connect({ path: socketOf(home), allowHalfOpen: true });
      socket.on('error', () => {});
      socket.resume();
      socket.end(bytes);
      // The daemon ends its side too, though ours still listens.
      await new Promise(resolve => socket.once('end', resolve));
      socket.destroy();
    }
  });
});

describe('a proof is worth nothing elsewhere', () => {
  test('relayed between two connections, or from another daemon’s shell', async () => {
    const [one, two] = [await rawPeer(socketOf(home)), await rawPeer(socketOf(home))];
    one.send(challenge());
    const offered = await one.next();
    // The daemon's own nonce sent as ours: its proof for one connection is offered in the other,
    // and the reverse.
    two.send(challenge(String(offered?.result?.nonce)));
    const reflected = await two.next();
    one.send(request('shell.prove', { proof: reflected?.result?.proof }));
    two.send(request('shell.prove', { proof: offered?.result?.proof }));
    for (const peer of [one, two]) {
      expect(await peer.next()).toMatchObject({ error: { code: -33009 } });
      expect(await peer.nextLine()).toBeNull();
    }
    const [from, to] = [await rawPeer(socketOf(other)), await rawPeer(socketOf(home))];
    const nonce = newNonce();
    to.send(challenge(nonce));
    const theirs = String((await to.next())?.result?.nonce);
    from.send(challenge(nonce));
    await from.next();
    expect(secretOf(other)).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(secretOf(other)).not.toBe(secretOf(home));
    to.send(request('shell.prove', { proof: shellProof(secretOf(other), 'shell', nonce, theirs) }));
    expect(await to.next()).toMatchObject({ error: { code: -33009 } });
    expect(await to.nextLine()).toBeNull();
    from.end();
  });

  test('a proved shell’s line that is replayed, skipped, recounted, from another session or from the daemon: the session ends', async () => {
    const begin = () => provedPeer(socketOf(home), secretOf(home));
    const elsewhere = await begin();
    const forged: ((shell: Awaited<ReturnType<typeof begin>>, first: string) => string)[] = [
      (_shell, first) => first,
      shell => shell.line(3, request('stop')),
      shell => shell.line(1, request('stop')),
      shell => shell.line(0, request('stop')),
      shell => shell.line(2, request('stop')).replace('"counter":2', '"counter":"2"'),
      shell => shell.line(2, request('stop')).replace('stop', 'step'),
      () => elsewhere.line(2, request('stop')),
      ({ key }) => {
        const message = JSON.stringify(request('stop'));
        return JSON.stringify({ counter: 2, mac: lineProof(key, 'daemon', 2, message), message });
      },
    ];
    for (const forge of forged) {
      const shell = await begin();
      const first = shell.line(1, request('status'));
      shell.peer.write(`${first}\n`);
      expect(shell.open(1, await shell.peer.nextLine())).toMatchObject({ result: { state: 'ready' } });
      shell.peer.write(`${forge(shell, first)}\n`);
      expect(await shell.peer.nextLine()).toBeNull();
    }
    elsewhere.peer.end();
    expect(await home.json(['status'])).toMatchObject({ pid: pid(), state: 'ready' });
  }, 30_000);
});

needsLinux.describe('costs the daemon nothing lasting', () => {
  /** Null if the listener's queue is full: that only hurts the attacker. */
  function dialled(): Promise<Socket | null> {
    return new Promise(resolve => {
      const socket = connect(socketOf(home));
      socket.once('connect', () => resolve(socket));
      socket.once('error', () => resolve(null));
      socket.on('error', () => {});
    });
  }
  async function crowdOf(count: number, each: (socket: Socket) => void): Promise<Socket[]> {
    const crowd: Socket[] = [];
    while (crowd.length < count) {
      const socket = await dialled();
      if (socket === null) await wait(5);
      else {
        crowd.push(socket);
        each(socket);
      }
    }
    return crowd;
  }

  /** One buffer for all: as text each would have its own copy, a gigabyte together. */
  const flood = Buffer.from(line(identify()).repeat(20_000));

  test.each<[string, number, number, (socket: Socket) => void]>([
    ['two thousand that say nothing', 2_000, 64, socket => void socket.resume()],
    [
      'a thousand that had us identify ourselves',
      1_000,
      512 + 64,
      socket => {
        socket.resume();
        socket.write(line(identify()));
      },
    ],
    [
      'two hundred that ask without end and never read',
      200,
      512 + 64,
      socket => {
        socket.pause();
        socket.write(flood);
        socket.write(flood);
      },
    ],
    ['two hundred that drip', 200, 64, socket => void socket.resume().write('{')],
  ])(
    '%s',
    async (_what, count, mostOpen, each) => {
      const [filesBefore, megabytesBefore, secondsBefore] = [openFiles(), residentMegabytes(), processorSeconds()];
      const crowd = await crowdOf(count, each);
      expect(await home.json(['status'])).toMatchObject({ state: 'ready' });
      await until(() => openFiles() <= filesBefore + mostOpen + 8, 'no more are open than may be');
      for (const socket of crowd) socket.destroy();
      await until(() => openFiles() <= filesBefore + 2, 'all of their files are closed');
      expect(processorSeconds() - secondsBefore).toBeLessThan(5);
      // Generous: if the daemon held 8 MiB unread for each of the 200, that would be 1,600.
      expect(residentMegabytes() - megabytesBefore).toBeLessThan(200);
      expect((await home.run(['status'])).code).toBe(0);
    },
    60_000,
  );

  test('and the log has one row a minute about those that asked for more than allowed', async () => {
    for (let tried = 0; tried < 20; tried++) await saidTo(line(request('stop')));
    // Counts that aren't written yet are written at the stop.
    await home.run(['stop']);
    await home.run(['start']);
    const { stdout } = await home.run(['activity', '--json']);
    const rows = stdout.split('\n').filter(row => row.includes('no proof, or a wrong one'));
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.length).toBeLessThan(5);
  }, 30_000);
});
