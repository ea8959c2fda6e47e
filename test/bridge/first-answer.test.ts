/**
 * `initialize` answered from what the daemon sent with its proof: what it says, and when the daemon
 * is still asked.
 */

import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { bridgeLimits } from '../../bridge/bridge-limits.ts';
import { until } from '../waiting/until.ts';
import { legacy, modern, pause } from './bridge-process.ts';
import { RealHome } from './real-home.ts';
import { Scratch } from './scratch.ts';
import { answerWith, type TestPeer } from './test-peer.ts';

const serverInfoKey = 'io.modelcontextprotocol/serverInfo';
const initialize = (id: number, protocolVersion = '2025-11-25') =>
  legacy(id, 'initialize', { protocolVersion, capabilities: {}, clientInfo: { name: 'codex', version: '0.165' } });

describe('beside a peer', () => {
  const told = {
    capabilities: { tools: { listChanged: false }, resources: {}, prompts: {}, completions: {} },
    instructions: 'Told with the proof.',
    _meta: { [serverInfoKey]: { name: 'sallyport', version: '9.9.9' } },
  };
  let scratch: Scratch;
  let peer: TestPeer;
  beforeEach(async () => {
    scratch = new Scratch();
    peer = await scratch.peer();
    peer.identifying = honest => ({ ...honest, discovery: told });
    peer.answering = (received, response) =>
      answerWith(response, received, { ...told, instructions: 'Told over HTTP.', supportedVersions: [] });
  });
  afterEach(() => scratch.clean());

  test('no request is sent for it, and it says what server/discover would have said', async () => {
    const answer = await scratch.bridge().ask(initialize(7, '2025-06-18'));
    expect(answer).toEqual({
      jsonrpc: '2.0',
      id: 7,
      result: {
        protocolVersion: '2025-06-18',
        capabilities: told.capabilities,
        serverInfo: { name: 'sallyport', version: '9.9.9' },
        instructions: 'Told with the proof.',
      },
    });
    expect(peer.received).toEqual([]);
  });

  test('its client is known in the requests that follow', async () => {
    const bridge = scratch.bridge();
    await bridge.ask(initialize(1));
    await bridge.ask(legacy(2, 'tools/list'));
    const { _meta: meta } = JSON.parse(peer.received[0]?.body ?? '').params;
    expect(meta['io.modelcontextprotocol/clientInfo']).toEqual({ name: 'codex', version: '0.165' });
  });

  test('an endpoint that didn’t prove itself isn’t trusted in this either', async () => {
    peer.identifying = honest => ({ ...honest, proof: 'x'.repeat(43), discovery: told });
    const { error } = await scratch.bridge().ask(initialize(1));
    expect(error?.message).toContain('did not prove it belongs to Sallyport');
  });

  test('old information is asked for again', async () => {
    const bridge = scratch.bridge();
    await until(() => peer.identifies.length > 0, 'the bridge has been told');
    await pause(1.2 * bridgeLimits.discoveryMilliseconds);
    expect((await bridge.ask(initialize(1))).result?.instructions).toBe('Told over HTTP.');
  });

  test.each([['nothing'], [7], [null], [['a list']]])('a daemon that sends %p is asked', async nothing => {
    peer.identifying = honest => ({ ...honest, discovery: nothing });
    expect((await scratch.bridge().ask(initialize(1))).result?.instructions).toBe('Told over HTTP.');
  });

  test('a modern client gets the daemon’s own answer', async () => {
    const answer = await scratch.bridge().ask(modern(1, 'server/discover'));
    expect(answer.result?.instructions).toBe('Told over HTTP.');
  });
});

describe('beside a daemon', () => {
  let home: RealHome;
  beforeEach(() => {
    home = new RealHome();
    home.sallyport('start');
  });
  afterEach(() => home.clean());

  test('both ways say the same', async () => {
    const { result: first } = await home.bridge().ask(initialize(1));
    const { result: discovered } = await home.bridge().ask(modern(1, 'server/discover'));
    const meta = discovered?._meta as Record<string, unknown>;
    expect(first).toEqual({
      protocolVersion: '2025-11-25',
      capabilities: discovered?.capabilities,
      instructions: discovered?.instructions,
      serverInfo: meta[serverInfoKey],
    });
  });

  test('paused, it is refused like all other requests', async () => {
    home.sallyport('pause');
    expect((await home.bridge().ask(initialize(1))).error?.code).toBe(-33006);
  });
});
