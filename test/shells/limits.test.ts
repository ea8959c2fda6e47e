/**
 * What slow, oversized, many or unreading peers cost the daemon: only their own connection (spec
 * §11).
 */

import { dirname } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { controlLimits } from '../../daemon/shells/socket/control-limits.ts';
import { newNonce } from '../../shared/proofs.ts';
import { connectToDaemon } from '../../shell-terminal/control-client.ts';
import { type DaemonInProcess, startDaemonInProcess } from './daemon-in-process.ts';
import { provedPeer, rawPeer, request } from './raw-peer.ts';

let daemon: DaemonInProcess;
afterEach(() => daemon.end());

const secret = () => String(daemon.secrets.get('shell/secret'));
const identify = () => request('identify', { nonce: newNonce(), protocol: '2' });

async function honestShellIsAnswered(): Promise<void> {
  const connecting = await connectToDaemon({
    controlSocket: daemon.socketPath,
    controlSocketFolder: dirname(daemon.socketPath),
    shellSecret: secret(),
    shell: 'terminal',
    proofMilliseconds: 5_000,
  });
  if (connecting.kind !== 'connected') throw new Error(connecting.kind);
  expect(await connecting.client.ask('status', {})).toMatchObject({ state: 'ready' });
  connecting.client.close();
}

describe('slow peers', () => {
  test('a byte now and then doesn’t keep a connection open past the deadline', async () => {
    daemon = await startDaemonInProcess({ limits: { proofMilliseconds: 300 } });
    const peer = await rawPeer(daemon.socketPath);
    const drip = setInterval(() => peer.write('x'), 20);
    expect(await peer.nextLine()).toBeNull();
    clearInterval(drip);
    await honestShellIsAnswered();
  });

  test('nothing at all, or a challenge without its proof, ends at the deadline; a bridge that identified us stays', async () => {
    daemon = await startDaemonInProcess({ limits: { proofMilliseconds: 300 } });
    const bridge = await rawPeer(daemon.socketPath);
    bridge.send(identify());
    await bridge.next();
    const silent = await rawPeer(daemon.socketPath);
    const undecided = await rawPeer(daemon.socketPath);
    undecided.send(identify());
    await undecided.next();
    undecided.send(request('shell.challenge', { protocol: '2', nonce: newNonce(), shell: 'app' }));
    expect((await undecided.next())?.result).toBeDefined();
    // Asking again who we are must not stop the clock.
    undecided.send(identify());
    await undecided.next();
    expect(await silent.nextLine()).toBeNull();
    expect(await undecided.nextLine()).toBeNull();
    bridge.send(identify());
    expect((await bridge.next())?.result).toMatchObject({ server: 'on' });
    bridge.end();
  });

  test('one that never reads its answers is cut off', async () => {
    daemon = await startDaemonInProcess({ limits: { unreadBytes: 256 * 1024 } });
    const proved = await provedPeer(daemon.socketPath, secret());
    proved.peer.socket.pause();
    let counter = 0;
    const flood = setInterval(() => {
      for (let sent = 0; sent < 100; sent++) proved.peer.write(`${proved.line(++counter, request('status'))}\n`);
    }, 2);
    await proved.peer.closed;
    clearInterval(flood);
    await honestShellIsAnswered();
  });
});

describe('peers that ask us to identify ourselves without end', () => {
  const flood = `${JSON.stringify(identify())}\n`.repeat(1_000);

  test('are answered quickly a few times, then slowly, and cost nobody else', async () => {
    daemon = await startDaemonInProcess({ limits: { quickPlainLines: 3, plainPaceMilliseconds: 60_000 } });
    const peer = await rawPeer(daemon.socketPath);
    peer.write(flood);
    for (let answered = 0; answered < 3; answered++) {
      expect((await peer.next())?.result).toMatchObject({ server: 'on' });
    }
    await honestShellIsAnswered();
    const more = await Promise.race([
      peer.nextLine(),
      new Promise(resolve => setTimeout(resolve, 100, 'nothing more')),
    ]);
    expect(more).toBe('nothing more');
    peer.end();
  });

  test('are cut off if they never read the answers', async () => {
    daemon = await startDaemonInProcess({ limits: { quickPlainLines: 1_000_000, unreadPlainBytes: 4_096 } });
    const peer = await rawPeer(daemon.socketPath);
    peer.socket.pause();
    const flooding = setInterval(() => peer.write(flood), 2);
    await peer.closed;
    clearInterval(flooding);
    await honestShellIsAnswered();
  });
});

describe('oversized peers', () => {
  test('a long line before the proof isn’t read to its end', async () => {
    daemon = await startDaemonInProcess();
    const peer = await rawPeer(daemon.socketPath);
    peer.write('{'.repeat(controlLimits.plainLineBytes + 1));
    expect(await peer.nextLine()).toBeNull();
  });

  test('a proved shell may send up to 1 MiB and no more', async () => {
    daemon = await startDaemonInProcess();
    const wide = await provedPeer(daemon.socketPath, secret());
    wide.peer.write(`${wide.line(1, request('connections.show', { connection: 'x'.repeat(900_000) }))}\n`);
    expect(wide.open(1, await wide.peer.nextLine())).toMatchObject({ error: { code: -32602 } });
    wide.peer.write(`${wide.line(2, request('connections.show', { connection: 'x'.repeat(1_048_576) }))}\n`);
    expect(await wide.peer.nextLine()).toBeNull();
  });

  test('an answer that wouldn’t fit is refused, the connection continues', async () => {
    daemon = await startDaemonInProcess({ limits: { sealedLineBytes: 4_096 } });
    const shell = await provedPeer(daemon.socketPath, secret());
    for (let made = 1; made <= 20; made++) {
      shell.peer.write(
        `${shell.line(made, request('tokens.mint', { name: `token ${made}`, scope: 'readOnly', connections: 'all', expires: 7, confirmInClient: false }))}\n`,
      );
      expect(shell.open(made, await shell.peer.nextLine())).toMatchObject({ result: { name: `token ${made}` } });
    }
    shell.peer.write(`${shell.line(21, request('tokens.list'))}\n`);
    expect(shell.open(21, await shell.peer.nextLine())).toMatchObject({ error: { code: -33005 } });
    shell.peer.write(`${shell.line(22, request('status'))}\n`);
    expect(shell.open(22, await shell.peer.nextLine())).toMatchObject({ result: { tokens: 20 } });
    shell.peer.end();
  });
});

describe('garbage', () => {
  const rubbish: Record<string, string | Buffer> = {
    'no JSON': 'GET / HTTP/1.1\r\n\r\n',
    'JSON that is no request': '[1,2,3]\n',
    null: 'null\n',
    'bytes that are no text': Buffer.from([0xff, 0xfe, 0x00, 0x0a, 0x80, 0x0a]),
    'a request without an id': `${JSON.stringify({ jsonrpc: '2.0', method: 'identify' })}\n`,
  };
  for (const [what, bytes] of Object.entries(rubbish)) {
    test(`${what}: cut without a word`, async () => {
      daemon = await startDaemonInProcess();
      const peer = await rawPeer(daemon.socketPath);
      peer.socket.write(bytes);
      expect(await peer.nextLine()).toBeNull();
      await honestShellIsAnswered();
    });
  }
});

describe('many peers', () => {
  test('silent ones give way to newer ones, and never keep a shell out', async () => {
    daemon = await startDaemonInProcess({ limits: { silentPeers: 4 } });
    const crowd = await Promise.all(Array.from({ length: 20 }, () => rawPeer(daemon.socketPath)));
    await honestShellIsAnswered();
    const open = crowd.filter(peer => !peer.socket.destroyed);
    expect(open.length).toBeLessThanOrEqual(5);
    for (const peer of crowd) peer.end();
  });

  test('of identified ones the one silent longest gives way', async () => {
    daemon = await startDaemonInProcess({ limits: { identifiedPeers: 2 } });
    const bridges = [];
    for (let made = 0; made < 3; made++) {
      const bridge = await rawPeer(daemon.socketPath);
      bridge.send(identify());
      await bridge.next();
      bridges.push(bridge);
    }
    const [first, second, third] = bridges;
    expect(await first?.nextLine()).toBeNull();
    for (const bridge of [second, third]) {
      bridge?.send(identify());
      expect((await bridge?.next())?.result).toMatchObject({ server: 'on' });
      bridge?.end();
    }
    await honestShellIsAnswered();
  });

  const most = { shells: 6, asking: 6, askingAtMost: 16 };
  /**
   * Process 1 and those up to 199 are programs of their own, 200 and more children of one; those
   * from 300 on have no terminal.
   */
  const originOf = async (pid: number) => {
    const terminal = pid < 300 ? `/dev/pts/${pid}` : null;
    const lineage = ['session', terminal === null ? 'none' : 'terminal', ...(pid < 200 ? [] : ['199']), `${pid}`];
    return { pid, terminal, programs: ['any name'], lineage };
  };
  const shellOf = (pid: number, shell = 'terminal') => provedPeer(daemon.socketPath, secret(), { pid, shell });
  type Shell = Awaited<ReturnType<typeof shellOf>>;
  const ask = async (shell: Shell, method = 'resume', counter = 1) => {
    shell.peer.write(`${shell.line(counter, request(method))}\n`);
    return shell.open(counter, await shell.peer.nextLine());
  };
  const opened = { error: { data: { confirm: 'choose' } } };
  const crowded = { error: { code: -33010, message: expect.stringContaining('Too many questions') } };
  const begin = () => startDaemonInProcess({ limits: most, originOf, passphrase: 'none' });

  test('of shells one of the program that has most gives way, whatever it calls itself', async () => {
    daemon = await begin();
    const [first, second] = [await shellOf(1), await shellOf(1)];
    const crowd = [];
    for (let made = 0; made < 20; made++) crowd.push(await shellOf(200 + made, `name-${made}`));
    for (const shell of [first, second]) expect(await ask(shell, 'status')).toMatchObject({ result: {} });
    expect(crowd.filter(({ peer }) => !peer.socket.destroyed)).toHaveLength(4);
  });

  test('one that asks a person is cut for nobody, and takes no place of one that asks nothing', async () => {
    daemon = await begin();
    // All in one tree: nothing but the question tells them apart.
    const asking = await shellOf(200);
    expect(await ask(asking)).toMatchObject(opened);
    for (let made = 0; made < 30; made++) await shellOf(200);
    for (let made = 0; made < 30; made++) await ask(await shellOf(200));
    expect(await ask(asking, 'status', 2)).toMatchObject({ result: {} });
    expect(await ask(await shellOf(200), 'status')).toMatchObject({ result: {} });
  });

  test('if many ask, there is one question a terminal, half of all for one tree, and none is closed', async () => {
    daemon = await begin();
    const flood = [];
    for (let made = 0; made < 6; made++) flood.push(await shellOf(200));
    for (const shell of flood) expect(await ask(shell)).toMatchObject(opened);
    const further = await shellOf(200);
    expect(await ask(further)).toMatchObject(crowded);
    for (let made = 1; made <= 2; made++) flood.push(await shellOf(200 + made));
    for (const shell of flood.slice(6)) expect(await ask(shell)).toMatchObject(opened);
    expect(await ask(await shellOf(203))).toMatchObject(crowded);
    const own = await shellOf(1);
    expect(await ask(own)).toMatchObject(opened);
    expect(await ask(await shellOf(1))).toMatchObject(crowded);
    for (let pid = 2; pid <= 8; pid++) expect(await ask(await shellOf(pid))).toMatchObject(opened);
    expect(await ask(await shellOf(9))).toMatchObject(crowded);
    // A brake needs no place, and whoever was told of too many stays connected.
    expect(await ask(await shellOf(9), 'tokens.list')).toMatchObject({ result: { tokens: [] } });
    expect(await ask(further, 'status', 2)).toMatchObject({ result: {} });
    for (const { peer } of [...flood, own]) expect(peer.socket.destroyed).toBe(false);
    // An answered question gives its place back.
    const [first] = flood;
    if (first !== undefined) await ask(first, 'status', 2);
    expect(await ask(await shellOf(9))).toMatchObject(opened);
  });

  test('one without a terminal is told what it needs, and takes no place', async () => {
    daemon = await begin();
    for (let made = 0; made < 20; made++) expect(await ask(await shellOf(300 + made))).toMatchObject(opened);
    expect(await ask(await shellOf(1))).toMatchObject(opened);
  });

  test('requests over the limit are refused, none is forgotten', async () => {
    daemon = await startDaemonInProcess({ limits: { requestsInFlight: 2 } });
    let answerDials = (): void => {};
    const dials = new Promise<void>(resolve => {
      answerDials = resolve;
    });
    daemon.dial = () => dials.then(() => ({ kind: 'not_connected' as const, message: 'nobody there' }));
    const shell = await provedPeer(daemon.socketPath, secret());
    const endpoint = {
      engine: 'postgres',
      host: 'db',
      port: 1,
      socketPath: null,
      filePath: null,
      database: null,
      user: null,
    };
    shell.peer.write(`${shell.line(1, request('connections.save', { name: 'a', endpoint }))}\n`);
    await shell.peer.nextLine();
    for (const id of [2, 3, 4])
      shell.peer.write(`${shell.line(id, request('connections.test', { connection: 'a' }, id))}\n`);
    expect(shell.open(2, await shell.peer.nextLine())).toMatchObject({ id: 4, error: { code: -33010 } });
    answerDials();
    expect(shell.open(3, await shell.peer.nextLine())).toMatchObject({ id: 2, result: { reachable: false } });
    expect(shell.open(4, await shell.peer.nextLine())).toMatchObject({ id: 3, result: { reachable: false } });
    shell.peer.end();
  });
});

describe('the end', () => {
  test('closing lets answers be read, ends everyone and is idempotent', async () => {
    daemon = await startDaemonInProcess();
    const bridge = await rawPeer(daemon.socketPath);
    bridge.send(identify());
    await bridge.next();
    const shell = await provedPeer(daemon.socketPath, secret());
    shell.peer.write(`${shell.line(1, request('stop'))}\n`);
    expect(shell.open(1, await shell.peer.nextLine())).toMatchObject({ result: { pid: process.pid } });
    await new Promise(resolve => setImmediate(resolve));
    expect(daemon.stops).toHaveLength(1);
    await Promise.all([daemon.control.close(), daemon.control.close()]);
    expect(await bridge.nextLine()).toBeNull();
    expect(await shell.peer.nextLine()).toBeNull();
  });

  test('a push reaches proved shells, sealed and in order, and nobody else', async () => {
    daemon = await startDaemonInProcess();
    const bridge = await rawPeer(daemon.socketPath);
    bridge.send(identify());
    await bridge.next();
    const shell = await provedPeer(daemon.socketPath, secret());
    daemon.control.push({ jsonrpc: '2.0', method: 'server.changed', params: { state: 'ready', port: 1, notes: [] } });
    daemon.control.push({ jsonrpc: '2.0', method: 'server.changed', params: { state: 'off', port: null, notes: [] } });
    expect(shell.open(1, await shell.peer.nextLine())).toMatchObject({
      params: { state: 'ready', port: 1, notes: [] },
    });
    expect(shell.open(2, await shell.peer.nextLine())).toMatchObject({ params: { state: 'off' } });
    await daemon.control.close();
    expect(await bridge.nextLine()).toBeNull();
    shell.peer.end();
  });
});
