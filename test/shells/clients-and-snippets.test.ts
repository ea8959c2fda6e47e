/**
 * `clients.list` and `snippets.list` (spec §11): who is connected as the daemon counts it, and the
 * configuration for clients.
 */

import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { httpConfigs, stdioConfigs } from '../../shared/client-configs.ts';
import type { ControlClient } from '../../shell-terminal/control-client.ts';
import { shellOf } from './asking.ts';
import { type DaemonInProcess, startDaemonInProcess } from './daemon-in-process.ts';

let daemon: DaemonInProcess;
let shell: ControlClient;
beforeEach(async () => {
  daemon = await startDaemonInProcess();
  shell = await shellOf(daemon);
});
afterEach(async () => {
  shell.close();
  await daemon.end();
});

const bridge = '/opt/sallyport/bin/sallyport-mcp';
const printed = ({ client, title, where, format, text }: ReturnType<typeof stdioConfigs>[number]) => ({
  client,
  title,
  where,
  format,
  text,
});

test('clients are listed with their token, a bridge without, and when by the wall clock', async () => {
  const { clients } = await shell.ask('clients.list', {});
  expect(clients).toEqual([
    {
      id: 'a1b2',
      client: 'Claude Code',
      token: { id: 'a1b2', name: 'Editor' },
      transport: 'http',
      protocol: '2026-07-28',
      since: '2026-11-20T11:59:00.000Z',
      lastSeen: '2026-11-20T11:59:58.500Z',
      openRequests: 1,
      sessions: 0,
    },
  ]);
  const [present] = daemon.ports.clients();
  if (present === undefined) throw new Error('nobody');
  Object.assign(daemon.ports, { clients: () => [{ ...present, isBridge: true, tokenName: '__stdio_bridge__' }] });
  expect((await shell.ask('clients.list', {})).clients).toMatchObject([{ token: null, transport: 'bridge' }]);
});

test('snippets come from the one source, with the real path and port, and no token', async () => {
  const all = await shell.ask('snippets.list', {});
  expect(all.snippets).toEqual(
    [...stdioConfigs(bridge, daemon.home), ...httpConfigs(27_432, '<ACCESS_TOKEN>')].map(printed),
  );
  expect(all.notes).toEqual([]);
  const one = await shell.ask('snippets.list', { client: 'zed' });
  expect(one.snippets.map(({ client }) => client)).toEqual(['zed']);
  const http = await shell.ask('snippets.list', { client: 'http' });
  expect(http).toMatchObject({ notes: [], snippets: [{ client: 'http' }, { client: 'http' }] });
  await expect(shell.ask('snippets.list', { client: 'emacs' })).rejects.toThrow(/one of claude-desktop, .*, http is/);
});

test('what can’t be written is reported', async () => {
  const status = daemon.ports.status();
  Object.assign(daemon.ports, {
    status: () => ({ ...status, state: 'off', port: null }),
    install: { bridgePath: null, namedHome: null },
  });
  const { snippets, notes } = await shell.ask('snippets.list', {});
  expect(snippets).toEqual([]);
  expect(notes).toEqual([expect.stringContaining('sallyport-mcp is missing'), expect.stringContaining('not running')]);
});
