/** Who may speak on the control socket, and what happens to everyone else (spec §11). */

import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { identifyProof, newNonce, shellProof } from '../../shared/proofs.ts';
import { connectToDaemon } from '../../shell-terminal/control-client.ts';
import { bridgeToken, type DaemonInProcess, instance, startDaemonInProcess } from './daemon-in-process.ts';
import { provedPeer, rawPeer, request } from './raw-peer.ts';

let daemon: DaemonInProcess;
const secretOf = (known: DaemonInProcess) => String(known.secrets.get('shell/secret'));

beforeEach(async () => {
  daemon = await startDaemonInProcess();
});
afterEach(() => daemon.end());

function client(known: DaemonInProcess, secret = secretOf(known)) {
  return connectToDaemon({
    controlSocket: known.socketPath,
    controlSocketFolder: dirname(known.socketPath),
    shellSecret: secret,
    shell: 'terminal',
    proofMilliseconds: 5_000,
  });
}

describe('identify', () => {
  test('is answered to anybody, with a proof over nonce, instance and port', async () => {
    const peer = await rawPeer(daemon.socketPath);
    const nonce = newNonce();
    peer.send(request('identify', { nonce, protocol: '2' }));
    const answer = await peer.next();
    expect(answer?.result).toMatchObject({ server: 'on', instance, port: 27432 });
    expect(answer?.result?.proof).toBe(identifyProof(bridgeToken, nonce, instance, 27432));
    peer.send(request('identify', { nonce, protocol: '2' }, 'again'));
    expect(await peer.next()).toMatchObject({ id: 'again', result: { server: 'on' } });
    peer.end();
  });

  test.each(['identify', 'shell.challenge'])('%s of another protocol version is refused by name', async method => {
    const peer = await rawPeer(daemon.socketPath);
    peer.send(request(method, { nonce: newNonce(), protocol: '1.1', shell: 'terminal' }));
    const answer = await peer.next();
    expect(answer?.error?.code).toBe(-32022);
    expect(answer?.error?.message).toContain('"1.1"');
    expect(answer?.error?.message).toContain('control protocol is 2,');
    expect(await peer.next()).toBeNull();
  });

  test('a bad nonce is refused', async () => {
    const peer = await rawPeer(daemon.socketPath);
    peer.send(request('identify', { nonce: 'short', protocol: '2' }));
    expect((await peer.next())?.error?.code).toBe(-32602);
    expect(await peer.next()).toBeNull();
  });
});

describe('a shell', () => {
  test('that proves itself is answered, also many requests at once', async () => {
    const connecting = await client(daemon);
    if (connecting.kind !== 'connected') throw new Error(connecting.kind);
    const answers = await Promise.all(Array.from({ length: 20 }, () => connecting.client.ask('status', {})));
    expect(answers.map(({ shells }) => shells)).toEqual(Array.from({ length: 20 }, () => ['terminal']));
    connecting.client.close();
    await connecting.client.closed;
  });

  test('with another secret sends nothing to the daemon that it can’t trust', async () => {
    expect(await client(daemon, newNonce())).toMatchObject({ kind: 'untrusted' });
  });

  test('isn’t fooled by an impostor that returns its own challenge', async () => {
    const path = join(daemon.home, 'impostor.sock');
    const heard: string[] = [];
    const server = createServer(socket => {
      socket.on('error', () => {});
      socket.on('data', chunk => {
        heard.push(chunk.toString('utf8'));
        // It doesn't know the secret, so it sends the nonce back and hopes to get a proof.
        const { params } = JSON.parse(chunk.toString('utf8'));
        const result = { protocol: '2', nonce: params.nonce ?? newNonce(), proof: params.proof ?? newNonce() };
        socket.write(`${JSON.stringify({ jsonrpc: '2.0', id: 0, result })}\n`);
      });
    });
    await new Promise<void>(resolve => server.listen(path, resolve));
    const answer = await connectToDaemon({
      controlSocket: path,
      controlSocketFolder: daemon.home,
      shellSecret: secretOf(daemon),
      shell: 'terminal',
      proofMilliseconds: 5_000,
    });
    expect(answer.kind).toBe('unanswered');
    expect(heard).toHaveLength(1);
    expect(heard[0]).not.toContain('shell.prove');
    await new Promise(resolve => server.close(resolve));
  });

  test('finds nobody if nobody listens', async () => {
    await daemon.control.close();
    expect(await client(daemon)).toEqual({ kind: 'absent' });
  });
});

describe('refused, without having run anything', () => {
  const attempts = {
    'a command before any proof': request('resume'),
    'a proof before any challenge': request('shell.prove', { proof: newNonce() }),
    'an unknown method': request('nonsense'),
    'a method of the object prototype': request('constructor'),
  };
  for (const [what, message] of Object.entries(attempts)) {
    test(what, async () => {
      const peer = await rawPeer(daemon.socketPath);
      peer.send(message);
      peer.send(request('stop'));
      expect((await peer.next())?.error?.code).toBe(-33009);
      expect(await peer.next()).toBeNull();
      expect(daemon.stops).toEqual([]);
    });
  }

  const proofs: Record<
    string,
    (secret: string, shellNonce: string, daemonNonce: string, daemonProof: string) => string
  > = {
    'no proof at all': () => '',
    'another secret': (_, shell, its) => shellProof(newNonce(), 'shell', shell, its),
    'the daemon’s own proof, reflected': (_secret, _shell, _its, daemonProof) => daemonProof,
    'the nonces in the wrong order': (secret, shell, its) => shellProof(secret, 'shell', its, shell),
    'a proof under another connection’s nonce': (secret, shell) => shellProof(secret, 'shell', shell, newNonce()),
  };
  for (const [what, proofOf] of Object.entries(proofs)) {
    test(`wrong proof: ${what}`, async () => {
      const peer = await rawPeer(daemon.socketPath);
      const nonce = newNonce();
      peer.send(request('shell.challenge', { protocol: '2', nonce, shell: 'terminal' }));
      const offered = (await peer.next())?.result;
      const proof = proofOf(secretOf(daemon), nonce, String(offered?.nonce), String(offered?.proof));
      peer.send(request('shell.prove', { proof }));
      expect((await peer.next())?.error?.code).toBe(-33009);
      expect(await peer.next()).toBeNull();
    });
  }

  test('a second challenge on one connection', async () => {
    const peer = await rawPeer(daemon.socketPath);
    const challenge = () => peer.send(request('shell.challenge', { protocol: '2', nonce: newNonce(), shell: 'app' }));
    challenge();
    expect((await peer.next())?.result?.nonce).toBeDefined();
    challenge();
    expect((await peer.next())?.error?.code).toBe(-33009);
    expect(await peer.next()).toBeNull();
  });

  test('a sealed line without a proof before it', async () => {
    const proved = await provedPeer(daemon.socketPath, secretOf(daemon));
    const other = await rawPeer(daemon.socketPath);
    other.write(`${proved.line(1, request('stop'))}\n`);
    expect(await other.next()).toBeNull();
    expect(daemon.stops).toEqual([]);
    proved.peer.end();
  });
});

describe('a proved connection ends without an answer at', () => {
  const status = request('status');
  const attacks: Record<string, (proved: Awaited<ReturnType<typeof provedPeer>>) => string> = {
    'a replayed line': proved => `${proved.line(1, status)}\n${proved.line(1, status)}`,
    'reordered lines': proved => `${proved.line(1, status)}\n${proved.line(3, status)}\n${proved.line(2, status)}`,
    'an altered message': proved => `${proved.line(1, status)}\n${proved.line(2, status).replace('status', 'stop')}`,
    'an altered counter': proved =>
      `${proved.line(1, status)}\n${proved.line(3, status).replace('"counter":3', '"counter":2')}`,
    'a plain command': proved => `${proved.line(1, status)}\n${JSON.stringify(request('stop'))}`,
    'a line that is no JSON': proved => `${proved.line(1, status)}\nrubbish`,
    'a sealed message that is no JSON-RPC': proved => `${proved.line(1, status)}\n${proved.line(2, [request('stop')])}`,
  };
  for (const [what, linesOf] of Object.entries(attacks)) {
    test(what, async () => {
      const proved = await provedPeer(daemon.socketPath, secretOf(daemon));
      proved.peer.write(`${linesOf(proved)}\n`);
      const first = await proved.peer.nextLine();
      // The honest first line may be answered; nothing after it is.
      if (first !== null) expect(proved.open(1, first)).toMatchObject({ id: 1, result: { state: 'ready' } });
      expect(first === null ? null : await proved.peer.nextLine()).toBeNull();
      expect(daemon.stops).toEqual([]);
    });
  }

  test('the daemon’s own line, reflected', async () => {
    const proved = await provedPeer(daemon.socketPath, secretOf(daemon));
    proved.peer.write(`${proved.line(1, request('status'))}\n`);
    const line = await proved.peer.nextLine();
    proved.peer.write(`${line}\n`);
    expect(await proved.peer.nextLine()).toBeNull();
  });

  test('a line of one session in another', async () => {
    const one = await provedPeer(daemon.socketPath, secretOf(daemon));
    const two = await provedPeer(daemon.socketPath, secretOf(daemon));
    two.peer.write(`${one.line(1, request('stop'))}\n`);
    expect(await two.peer.nextLine()).toBeNull();
    expect(daemon.stops).toEqual([]);
    one.peer.end();
  });
});

describe('the socket’s file', () => {
  test('is 0600 in a private folder', () => {
    expect(statSync(daemon.socketPath).mode & 0o777).toBe(0o600);
  });

  test('a home with a long path gets a private folder elsewhere, gone after the stop', async () => {
    const long = await startDaemonInProcess({
      home: folder => {
        const home = join(folder, 'x'.repeat(150));
        mkdirSync(home, { mode: 0o700 });
        return home;
      },
    });
    const folder = dirname(long.socketPath);
    expect(folder).toMatch(/^(?:\/tmp\/sallyport-[0-9a-f]{16}-[0-9a-f]{16}|\/run\/user\/\d+\/sallyport-[0-9a-f]{16})$/);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect((await client(long)).kind).toBe('connected');
    await long.end();
    expect(existsSync(folder)).toBe(false);
  });

  test('a stale socket is removed, any other file isn’t', async () => {
    await daemon.end();
    const stale = (make: (path: string) => void) =>
      startDaemonInProcess({
        home: folder => {
          make(join(folder, 'control.sock'));
          return folder;
        },
      });
    await expect(stale(path => writeFileSync(path, 'precious'))).rejects.toThrow('something else than a socket');
    await expect(stale(path => mkdirSync(path))).rejects.toThrow('something else than a socket');
    daemon = await startDaemonInProcess();
    const left = await staleSocket(join(daemon.home, 'dead'));
    const again = await startDaemonInProcess({ home: () => left });
    expect((await client(again)).kind).toBe('connected');
    await again.end();
    expect(readdirSync(left)).toEqual([]);
  });
});

/** A home with a socket that nobody listens behind. */
async function staleSocket(home: string): Promise<string> {
  const { execFileSync } = await import('node:child_process');
  mkdirSync(home, { mode: 0o700 });
  // A process that dies without closing leaves its socket behind.
  const script = `require('net').createServer().listen(${JSON.stringify(join(home, 'control.sock'))}, () => process.kill(process.pid, 'SIGKILL'))`;
  try {
    execFileSync(process.execPath, ['-e', script], { env: { PATH: process.env.PATH ?? '' } });
  } catch {
    // It kills itself, so execFileSync throws; the next step looks at what it left.
  }
  expect(existsSync(join(home, 'control.sock'))).toBe(true);
  return home;
}
