/**
 * Failures between the built bridge and the real daemon, each with real files and processes. The
 * bridge reports them on stderr and to the client, under the request's own id, within 10 s (spec
 * §15), and they end as soon as their cause does.
 */

import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { bridgeLimits } from '../../../bridge/bridge-limits.ts';
import { readOnlySentences } from '../../../daemon/clients/mcp/refusal-words.ts';
import { locationsIn } from '../../../shared/locations.ts';
import { version as ourVersion } from '../../../shared/version.ts';
import { BridgeProcess, installBridge, type JsonLine, legacy, modern, pause } from '../../bridge/bridge-process.ts';
import {
  anotherControlProtocol,
  anotherVersion,
  type Difference,
  installBeside,
  olderEraOnly,
} from '../../bridge/other-install.ts';
import { RealHome } from '../../bridge/real-home.ts';
import { needsRoot } from '../../needs.ts';
import { expectWithin } from '../../waiting/limits.ts';
import { until } from '../../waiting/until.ts';

/** The bridge's own 9.7 s, and more for a busy machine. */
const latestMilliseconds = 12_000;
/** After this time a bridge no longer answers `initialize` from memory. */
const forgottenMilliseconds = 1.1 * bridgeLimits.discoveryMilliseconds;
/** Longer than the two seconds in which a bridge asks ahead. */
const slowMilliseconds = 2 * bridgeLimits.aheadMilliseconds;
const nobody = 65_534;

/** Each test's own, unless it shares one. */
let home: RealHome;
let own: RealHome;
const bridges: BridgeProcess[] = [];
beforeEach(() => {
  own = new RealHome();
  home = own;
});
afterEach(async () => {
  await Promise.all(bridges.splice(0).map(bridge => bridge.stop()));
  await own.clean();
});

const list = (id: unknown) => modern(id, 'tools/list');
const handshakePath = () => locationsIn(home.home).handshake;
const unproven = 'The local MCP endpoint did not prove it belongs to Sallyport';

/** An install without a daemon, so nothing is launched. */
function bridgeAlone(): BridgeProcess {
  return started([process.execPath, installBridge(join(home.folder, 'alone'), null)]);
}

function started(command: readonly string[]): BridgeProcess {
  const bridge = new BridgeProcess(command, home.home);
  bridges.push(bridge);
  return bridge;
}

async function refused(
  bridge: BridgeProcess,
  request: { readonly id: unknown },
): Promise<NonNullable<JsonLine['error']>> {
  const began = performance.now();
  const { error } = await bridge.ask(request, 30_000);
  expectWithin(began, latestMilliseconds);
  if (error === undefined) throw new Error('It was answered.');
  await until(() => bridge.stderr.includes(`${error.message}\n`), 'it is said on stderr too');
  return error;
}

async function served(bridge: BridgeProcess, id: unknown): Promise<void> {
  expect((await bridge.ask(list(id), 30_000)).error).toBeUndefined();
}

/** Takes a port as a stranger would, and counts the bytes that it gets. */
async function stranger(
  port: number,
): Promise<{ readonly port: number; readonly bytes: () => number; close(): Promise<void> }> {
  let bytes = 0;
  const server = createServer(socket => {
    socket.on('data', chunk => {
      bytes += chunk.length;
    });
    socket.on('error', () => socket.destroy());
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    bytes: () => bytes,
    close: () => new Promise(resolve => server.close(() => resolve())),
  };
}

describe('the daemon', () => {
  test('is switched off and on again', async () => {
    home.sallyport('start');
    const bridge = bridgeAlone();
    await served(bridge, 1);
    await home.here('settings', 'set', 'enabled', 'false');
    for (const request of [list('off'), legacy('off too', 'initialize', { protocolVersion: '2025-11-25' })]) {
      const { code, message } = await refused(bridge, request);
      expect(code).toBe(-33006);
      expect(message).toContain("Sallyport's MCP server is switched off. Only the user can ");
    }
    await home.here('settings', 'set', 'enabled', 'true');
    await served(bridge, 2);
  }, 60_000);

  test('is paused and resumed, for clients of both eras', async () => {
    home.sallyport('start');
    const bridge = bridgeAlone();
    await served(bridge, 1);
    await home.here('pause');
    // What came with the last proof may still answer an `initialize` for a second.
    await pause(forgottenMilliseconds);
    const initialize = legacy('init', 'initialize', { protocolVersion: '2025-06-18' });
    for (const request of [list('p'), legacy('q', 'tools/list'), initialize]) {
      const { code, message } = await refused(bridge, request);
      expect(code).toBe(-33006);
      expect(message).toContain('paused');
    }
    const late = bridgeAlone();
    expect((await refused(late, initialize)).code).toBe(-33006);
    await home.here('resume');
    await served(bridge, 2);
    await served(late, 2);
  }, 60_000);

  test('disappears, and is found again on another port; a program on its old port sees nothing', async () => {
    home.sallyport('start');
    const port = await home.moveToOwnPort();
    const bridge = bridgeAlone();
    await served(bridge, 1);
    await home.end('SIGKILL');
    const other = await stranger(port);
    try {
      const { code, message } = await refused(bridge, list('gone'));
      expect(code).toBe(-33009);
      expect(message).toMatch(/^Sallyport is not running and could not be started \(.+\)\. Open Sallyport, or run /);
      home.sallyport('start');
      expect(home.handshake()?.port).not.toBe(port);
      await served(bridge, 2);
      expect(other.bytes()).toBe(0);
    } finally {
      await other.close();
    }
  }, 60_000);

  test('moves to another port while bridges are connected', async () => {
    home.sallyport('start');
    const port = await home.moveToOwnPort();
    const bridge = bridgeAlone();
    await served(bridge, 1);
    await home.moveToOwnPort();
    const other = await stranger(port);
    try {
      for (let id = 2; id < 6; id++) await served(bridge, id);
      expect(other.bytes()).toBe(0);
    } finally {
      await other.close();
    }
  }, 60_000);

  test('hangs: its requests are given up, later ones are refused, and service resumes once it continues', async () => {
    home.sallyport('start');
    const bridge = bridgeAlone();
    await served(bridge, 1);
    const pids = home.daemons();
    for (const pid of pids) process.kill(pid, 'SIGSTOP');
    try {
      // The second needs a connection of its own, whose proof fails before the first is given up.
      const [underWay, beside] = await Promise.all([
        refused(bridge, list('under way')),
        refused(bridge, list('beside')),
      ]);
      expect(underWay.code).toBe(-33000);
      expect(beside.message).toContain('Sallyport is busy: it did not answer within 10 s, so nothing was sent.');
      expect(underWay.message).toBe(
        'The connection to Sallyport ended before this request was answered. Send it again.',
      );
      const next = await refused(bridge, list('next'));
      expect(next.message).toContain('Sallyport is busy: it did not answer within 10 s, so nothing was sent.');
    } finally {
      for (const pid of pids) process.kill(pid, 'SIGCONT');
    }
    await served(bridge, 2);
  }, 90_000);

  test('is slow: a new bridge waits for its proof, and the call is answered', async () => {
    home.sallyport('start');
    const pids = home.daemons();
    for (const pid of pids) process.kill(pid, 'SIGSTOP');
    try {
      const asked = bridgeAlone().ask(list('slow'), 30_000);
      await pause(slowMilliseconds);
      for (const pid of pids) process.kill(pid, 'SIGCONT');
      expect((await asked).error).toBeUndefined();
    } finally {
      for (const pid of pids) process.kill(pid, 'SIGCONT');
    }
  }, 60_000);
});

describe('the handshake file of a running daemon', () => {
  let shared: RealHome;
  let kept: Buffer;
  beforeAll(() => {
    shared = new RealHome();
    shared.sallyport('start');
    kept = readFileSync(locationsIn(shared.home).handshake);
  });
  beforeEach(() => {
    home = shared;
  });
  afterEach(() => {
    chmodSync(home.home, 0o700);
    rmSync(handshakePath(), { recursive: true, force: true });
    writeFileSync(handshakePath(), kept, { mode: 0o600 });
  });
  afterAll(() => shared.clean());

  const spoiled: [string, () => void, string][] = [
    [
      'is malformed',
      () => writeFileSync(handshakePath(), '{"port":', { mode: 0o600 }),
      'is not a handshake of version 1',
    ],
    ['can be read by the world', () => chmodSync(handshakePath(), 0o644), 'has mode 644, not 600'],
    ['can be written by the group', () => chmodSync(handshakePath(), 0o620), 'has mode 620, not 600'],
    [
      'is a folder',
      () => {
        rmSync(handshakePath());
        mkdirSync(handshakePath());
      },
      'is not a regular file',
    ],
    ['is in a home others can write', () => chmodSync(home.home, 0o777), 'can be written by others'],
  ];
  test.each(spoiled)(
    '%s',
    async (_, spoil, problem) => {
      spoil();
      const { code, message } = await refused(bridgeAlone(), list('a'));
      expect(code).toBe(-33009);
      expect(message.startsWith(`${unproven} (`)).toBe(true);
      expect(message).toContain(problem);
      expect(message).toContain(`Quit Sallyport, delete ${handshakePath()}, then open Sallyport again.`);
    },
    60_000,
  );

  needsRoot.test(
    'belongs to another user',
    async () => {
      chownSync(handshakePath(), nobody, nobody);
      const { message } = await refused(bridgeAlone(), list('a'));
      expect(message).toContain(`${unproven} (${handshakePath()} belongs to another user)`);
    },
    60_000,
  );

  needsRoot.test(
    'is in a home that belongs to another user',
    async () => {
      chownSync(home.home, nobody, nobody);
      const { message } = await refused(bridgeAlone(), list('a'));
      expect(message).toContain(`home can't be used: ${home.home} belongs to another user; run this as that user`);
      chownSync(home.home, 0, 0);
    },
    60_000,
  );

  test('is missing: it is written again on request', async () => {
    const { instance } = home.handshake() ?? {};
    rmSync(handshakePath());
    await served(bridgeAlone(), 'a');
    expect(home.handshake()?.instance).toBe(instance);
  }, 60_000);
});

describe('the handshake file', () => {
  test('is missing with its home', async () => {
    const { message } = await refused(bridgeAlone(), list('a'));
    expect(message).toMatch(/^Sallyport is not running and could not be started \(sallyportd is missing /);
  }, 60_000);

  test('was left by a daemon long dead, with another program on its port: nothing reaches it', async () => {
    home.sallyport('start');
    const port = await home.moveToOwnPort();
    await home.end('SIGKILL');
    const other = await stranger(port);
    try {
      rewrite({ expiresAt: '2020-01-01T00:00:00.000Z' });
      const { message } = await refused(bridgeAlone(), list('a'));
      expect(message).toMatch(/^Sallyport is not running and could not be started/);
      await served(home.bridge(), 'b');
      expect(other.bytes()).toBe(0);
    } finally {
      await other.close();
    }
  }, 60_000);

  test('points to a living process that isn’t the daemon, and to its port', async () => {
    home.sallyport('start');
    await home.end('SIGKILL');
    const other = await stranger(0);
    try {
      rewrite({ pid: process.pid, port: other.port });
      const { message } = await refused(bridgeAlone(), list('a'));
      expect(message).toContain(
        `${unproven} (the handshake file points at process ${process.pid}, which does not answer`,
      );
      expect(other.bytes()).toBe(0);
    } finally {
      await other.close();
    }
  }, 60_000);

  needsRoot.test(
    'points to a process of another user: asked about by a user that may not signal it',
    async () => {
      const other = await stranger(0);
      const handshake = { version: 1, port: other.port, token: `sp_${'A'.repeat(43)}`, pid: process.pid };
      const rest = {
        instance: '00000000-0000-4000-8000-000000000000',
        protocolVersions: [],
        expiresAt: '2099-01-01T00:00:00Z',
      };
      writeFileSync(handshakePath(), JSON.stringify({ ...handshake, ...rest }), { mode: 0o600 });
      chmodSync(home.folder, 0o755);
      const main = installBridge(join(home.folder, 'alone'), null);
      for (const path of [home.home, handshakePath()]) chownSync(path, nobody, nobody);
      try {
        const bridge = started(['/usr/sbin/runuser', '-u', 'nobody', '--', process.execPath, main]);
        const { message } = await refused(bridge, list('a'));
        expect(message).toContain(`points at process ${process.pid}, which does not answer for it`);
        expect(other.bytes()).toBe(0);
      } finally {
        await other.close();
        chownSync(home.home, 0, 0);
      }
    },
    60_000,
  );

  function rewrite(changes: object): void {
    const handshake = JSON.parse(readFileSync(handshakePath(), 'utf8'));
    writeFileSync(handshakePath(), JSON.stringify({ ...handshake, ...changes }), { mode: 0o600 });
  }
});

describe('two installs of different versions share one home', () => {
  function other(...differences: Difference[]): string {
    return installBeside(join(home.folder, 'other'), differences);
  }
  const startWith = (bin: string) =>
    execFileSync(join(bin, 'sallyport'), ['start'], { env: home.environment, stdio: 'pipe' });

  test('another version of the same protocol: each bridge works with each daemon, through an upgrade too', async () => {
    const newer = other(anotherVersion('99.0.0'));
    const [ours, theirs] = [home.bridge(), started([join(newer, 'sallyport-mcp')])];
    for (const [bin, version] of [
      [undefined, ourVersion],
      [newer, '99.0.0'],
      [undefined, ourVersion],
    ] as const) {
      await home.end('SIGTERM');
      if (bin === undefined) home.sallyport('start');
      else startWith(bin);
      await pause(forgottenMilliseconds);
      for (const bridge of [ours, theirs]) {
        const { result } = await bridge.ask(legacy(version, 'initialize', { protocolVersion: '2025-11-25' }));
        expect(result).toMatchObject({ serverInfo: { version } });
        bridge.lines.length = 0;
      }
    }
  }, 90_000);

  test.each([
    ['3', /^This bridge 0\.1\.0 is too old for the running Sallyport( 0\.9\.0)?\. Update the install /],
    ['1', /^The running Sallyport( 0\.9\.0)? is too old for this bridge 0\.1\.0\. Update Sallyport, then restart it\./],
  ])(
    'a daemon of control protocol %s',
    async (protocol, sentence) => {
      startWith(other(anotherVersion('99.0.0'), anotherControlProtocol(protocol)));
      const { code, message } = await refused(home.bridge(), list('a'));
      expect(code).toBe(-32022);
      expect(message).toMatch(sentence);
      expect(home.daemons()).toHaveLength(1);
    },
    60_000,
  );

  test('a daemon without 2026-07-28', async () => {
    startWith(other(olderEraOnly));
    const { code, message } = await refused(home.bridge(), list('a'));
    expect(code).toBe(-32022);
    expect(message).toBe(
      'This Sallyport build does not speak 2026-07-28 (it speaks 2025-11-25, 2025-06-18). Update Sallyport, then restart it.',
    );
  }, 60_000);
});

test('a write on a connection that clients may only read: reported on stderr too', async () => {
  home.sallyport('start');
  await home.here('demo');
  const bridge = bridgeAlone();
  const query = { name: 'execute_query', arguments: { connection: 'Demo', sql: 'delete from payments where id = 1' } };
  const { result } = await bridge.ask(modern(1, 'tools/call', query));
  expect(JSON.stringify(result)).toContain(`denied: ${readOnlySentences.connection.says} `);
  await until(() => bridge.stderr !== '', 'it is said on stderr');
  expect(bridge.stderr).toMatch(/^This connection is read only for external clients\. .* It waits for them: /);
}, 60_000);
