/** The daemons that the rows ask, as their person left them. */

import { type ControlClient, Refused } from '../../../shell-terminal/control-client.ts';
import { askOpened } from '../../shells/asked-request.ts';
import { postgresAt, shellOf, sqliteAt } from '../../shells/asking.ts';
import { type DaemonInProcess, startDaemonInProcess } from '../../shells/daemon-in-process.ts';
import { type AskRow, itsToken } from './row.ts';

export const passphrase = 'correct horse battery';
type Files = (name: string) => string;

export interface World {
  readonly daemon: DaemonInProcess;
  readonly agent: ControlClient;
  readonly token: string;
}

export async function allKept(file: Files): Promise<World> {
  const daemon = await startDaemonInProcess();
  const agent = await shellOf(daemon);
  await agent.ask('connections.save', {
    name: 'Shop',
    endpoint: postgresAt('db.example'),
    password: { kind: 'stored', value: 'secret' },
    externalClients: { level: 'blocked' },
    aiPolicy: 'never',
  });
  await agent.ask('connections.save', {
    name: 'Sealed',
    endpoint: postgresAt('sealed.example'),
    tls: { clientCertificate: { certificateFile: '/a.crt', keyFile: '/a.key' }, keyPassphrase: 'secret too' },
  });
  await agent.ask('connections.save', { name: 'Unlocked', endpoint: postgresAt('unlocked.example') });
  await agent.ask('connections.save', { name: 'File', endpoint: sqliteAt(file('one.db')) });
  await agent.ask('settings.set', { key: 'port.fallback', value: false });
  await agent.ask('settings.set', { key: 'enabled', value: false });
  await agent.ask('settings.set', { key: 'keychain', value: 'required' });
  await askOpened(daemon.accessRequests);
  const [{ id = '' } = {}] = (await agent.ask('connections.list', {})).connections.filter(
    ({ name }) => name === 'Shop',
  );
  const token = { name: 'x', scope: 'readWrite', connections: [id], expires: 30, confirmInClient: false } as const;
  const { record } = await daemon.ports.tokens.mint({ ...token, connections: [id], client: null });
  return { daemon, agent, token: record.id };
}

export async function readable(file: Files, by: 'passphrase' | 'app'): Promise<World> {
  const daemon = await startDaemonInProcess(by === 'app' ? { platform: 'darwin', backend: () => 'keychain' } : {});
  const agent = await shellOf(daemon);
  await askOpened(daemon.accessRequests);
  const password = { kind: 'stored', value: 'geheim' } as const;
  await agent.ask('connections.save', { name: 'Shop', endpoint: postgresAt('db.example'), password });
  await agent.ask('connections.save', { name: 'File', endpoint: sqliteAt(file('one.db')) });
  const old = { name: 'Old', endpoint: postgresAt('old.example'), password } as const;
  await agent.ask('connections.save', { ...old, externalClients: { level: 'blocked' } });
  await agent.ask('connections.delete', { connection: 'Old' });
  const { id } = await agent.ask('demo.create', {});
  await agent.ask('connections.save', { connection: id, aiPolicy: 'never' });
  await agent.ask('connections.delete', { connection: id });
  const token = { name: 'x" of yours', scope: 'readOnly', expires: 7, confirmInClient: false, client: null } as const;
  const { record } = await daemon.ports.tokens.mint({ ...token, connections: [] });
  return { daemon, agent, token: record.id };
}

export function paramsOf({ params }: AskRow, { token }: World): never {
  return JSON.parse(JSON.stringify(params).replace(JSON.stringify(itsToken), JSON.stringify(token))) as never;
}

/** Everything that an agent would want changed. */
export async function standing({ agent, daemon }: World): Promise<unknown> {
  const { connections } = await agent.ask('connections.list', {});
  const { tokens } = await agent.ask('tokens.list', {});
  const { settings } = await agent.ask('settings.list', {});
  return { connections, tokens, settings, secrets: Object.fromEntries(daemon.secrets) };
}

export async function refusalOf(asking: Promise<unknown>): Promise<Refused> {
  try {
    await asking;
  } catch (error) {
    if (error instanceof Refused) return error;
    throw error;
  }
  throw new Error('it was not refused');
}
