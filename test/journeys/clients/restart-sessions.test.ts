/**
 * The daemon of clients over HTTP is killed or stopped between two calls and starts again: the
 * clients notice nothing.
 */

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { RealHome } from '../../bridge/real-home.ts';
import { legacy, openSession, send } from '../../clients/http/wire.ts';
import { everyClient } from './every-client.ts';

let home: RealHome;
let url: string;
beforeAll(async () => {
  home = new RealHome();
  home.sallyport('start');
  url = `http://127.0.0.1:${await home.moveToOwnPort()}/mcp`;
}, 60_000);
afterAll(() => home.clean());

interface Minted {
  readonly id: string;
  readonly token: string;
}
const mint = async (name: string): Promise<Minted> =>
  JSON.parse(await home.here('tokens', 'mint', '--name', name, '--json'));

async function restart(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  await home.end(signal);
  await home.here('start');
}

const ping = async (token: string, session: Record<string, string>) => {
  const { status, json } = await send(url, legacy(token, { jsonrpc: '2.0', id: 5, method: 'ping' }, session));
  return [status, json.error?.code];
};

describe.each(['SIGTERM', 'SIGKILL'] as const)('%s', signal => {
  test.each(Object.keys(everyClient).filter(kind => kind.endsWith('HTTP')))(
    '%s',
    async kind => {
      const { token } = await mint(`${kind} ${signal}`);
      const client = await everyClient[kind]?.({ home, url, token });
      expect(await client?.tools()).toContain('list_connections');
      await restart(signal);
      expect(await client?.tools()).toContain('list_connections');
      expect((await client?.call('list_connections', {}))?.structuredContent).toBeDefined();
      // Its name is still known.
      const row = JSON.parse(await home.here('activity', '--json')).at(-1);
      expect(row).toMatchObject({ action: 'list_connections', client: 'journey' });
      await client?.close();
    },
    60_000,
  );
});

test('SDK v1 as a client of 2025-06-18', async () => {
  const { token } = await mint('2025-06-18');
  const versions: (string | null)[] = [];
  const transport = new OldHttp(new URL(url), {
    requestInit: { headers: { Authorization: `Bearer ${token}` } },
    fetch: (target, init) => {
      versions.push(new Headers(init?.headers).get('mcp-protocol-version'));
      const body = typeof init?.body === 'string' ? init.body.replace('"2025-11-25"', '"2025-06-18"') : null;
      return fetch(target, { ...init, body });
    },
  });
  const client = new OldClient({ name: 'older', version: '1' });
  await client.connect(transport as Parameters<OldClient['connect']>[0]);
  await restart('SIGKILL');
  expect((await client.listTools()).tools.length).toBeGreaterThan(1);
  expect(versions.at(-1)).toBe('2025-06-18');
  await client.close();
}, 60_000);

test('a restored session belongs only to its own token, and never to one revoked meanwhile', async () => {
  const [mine, other, revoked] = [await mint('mine'), await mint('other'), await mint('revoked')];
  const session = await openSession(url, mine.token);
  const lost = await openSession(url, revoked.token);
  await home.here('tokens', 'revoke', revoked.id);
  await restart('SIGKILL');
  expect(await ping(other.token, session)).toEqual([404, -33001]);
  expect(await ping(revoked.token, lost)).toEqual([401, -33009]);
  expect(await ping(mine.token, lost)).toEqual([404, -33001]);
  expect(await ping(mine.token, session)).toEqual([200, undefined]);
  const id = String(session['Mcp-Session-Id']);
  for (const forged of [`${id}A`, `A${id}`, id.split('.')[0] ?? '', `.${id.split('.')[1]}`, `${id}.${id}`, 'a.b', '.'])
    expect(await ping(mine.token, { ...session, 'Mcp-Session-Id': forged })).toEqual([404, -33001]);
}, 60_000);
