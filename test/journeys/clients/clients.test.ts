/**
 * Who is connected now, as a real daemon tells it about real clients over HTTP and through the
 * bridge; and what a second shell hears.
 */

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { ClientView, SnippetsView, StatusResult } from '../../../shared/control-commands.ts';
import { type ControlClient, connectToDaemon } from '../../../shell-terminal/control-client.ts';
import { modern, send } from '../../clients/http/wire.ts';
import { executable, type RealHome, realHome } from '../../shell-terminal/real-home.ts';
import { until } from '../../waiting/until.ts';

const bridge = join(dirname(executable), 'sallyport-mcp');
let home: RealHome;
let shell: ControlClient;
beforeEach(async () => {
  home = realHome();
  expect((await home.run(['settings', 'list'])).code).toBe(69);
  expect((await home.run(['start'])).code).toBe(0);
  const { secrets } = JSON.parse(readFileSync(join(home.home, 'secrets.json'), 'utf8'));
  const connecting = await connectToDaemon({
    ...{ controlSocket: join(home.home, 'control.sock'), controlSocketFolder: home.home, shell: 'app' },
    ...{ shellSecret: secrets['shell/secret'], proofMilliseconds: 10_000 },
  });
  if (connecting.kind !== 'connected') throw new Error(JSON.stringify(connecting));
  shell = connecting.client;
});
afterEach(async () => {
  shell.close();
  await home.clean();
});

test('status lists clients over HTTP and through the bridge, with their names and tokens', async () => {
  type Status = StatusResult & { clients: readonly ClientView[] };
  const before = await home.run(['status']);
  expect(before.stdout).toMatch(/clients now\s+none/);
  const heard: string[] = [];
  shell.onNotification(({ method }) => heard.push(method));
  await shell.ask('changes.follow', {});
  const minted = await home.json<{ token: string }>(['tokens', 'mint', '--name', 'Editor']);
  const { port } = await home.json<Status>(['status']);
  const url = `http://127.0.0.1:${port}/mcp`;
  expect((await send(url, modern(minted.token, 'tools/list'))).status).toBe(200);

  const child = home.spawnProgram(bridge, []);
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  const answered = new Promise<string>(resolve => lines.once('line', resolve));
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': { name: 'Zed\u202e', version: '1' },
  };
  child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta } })}\n`);
  expect(JSON.parse(await answered)).toMatchObject({ id: 1, result: {} });

  const { clients } = await home.json<Status>(['status']);
  expect(clients).toMatchObject([
    { client: 'Zed', token: null, transport: 'bridge', protocol: '2026-07-28' },
    { client: 'wire test', token: { name: 'Editor' }, transport: 'http', protocol: '2026-07-28', sessions: 0 },
  ]);
  expect(clients[0]?.id).toMatch(/^bridge:/);
  const shown = await home.run(['status']);
  expect(shown.stdout).toMatch(/clients now\s+Zed \(bridge\), wire test \(token Editor\)/);
  expect(heard).toEqual(['tokens.changed']);
  child.kill('SIGKILL');
  await new Promise(resolve => child.once('close', resolve));
  const left = async () => (await home.json<Status>(['status'])).clients.map(({ client }) => client);
  await until(async () => !(await left()).includes('Zed'), 'a bridge that was killed is listed no more');
  expect(await left()).toEqual(['wire test']);
}, 60_000);

test('snippets name the bridge of this install and the port of this run', async () => {
  const { snippets, notes }: SnippetsView = await shell.ask('snippets.list', {});
  const { port } = await shell.ask('status', {});
  expect(snippets.find(({ client }) => client === 'cursor')?.text).toContain(JSON.stringify(bridge));
  expect(snippets.find(({ client }) => client === 'cursor')?.text).toContain(`"SALLYPORT_HOME": "${home.home}"`);
  expect(snippets.filter(({ client }) => client === 'http')).toHaveLength(2);
  for (const { client, text } of snippets)
    if (client === 'http') expect(text).toContain(`http://127.0.0.1:${port}/mcp`);
  expect(notes).toEqual([]);
  const printed = await home.run(['connect', 'cursor']);
  expect(printed.stdout.trimEnd()).toBe(snippets.find(({ client }) => client === 'cursor')?.text);
}, 60_000);
