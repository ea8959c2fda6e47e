/**
 * Threat: a client learns through `subscriptions/listen` what it may not see. No event mentions a
 * connection hidden from its token, another token's view, or a request that waits for the user. A
 * token's end also ends its stream.
 */

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { RealHome } from '../bridge/real-home.ts';
import { type EventReader, listen } from '../clients/http/event-reader.ts';
import { send, modern as wireModern } from '../clients/http/wire.ts';
import { until } from '../waiting/until.ts';

let home: RealHome;
let url: string;
const ids = new Map<string, string>();
const json = async (...words: string[]) => JSON.parse(await home.here(...words, '--json'));

beforeAll(async () => {
  home = new RealHome();
  await json('start');
  await json('settings', 'set', 'limits.requestsPerMinute', '0');
  for (const name of ['Seen', 'Vault']) {
    const file = `${home.folder}/${name}.db`;
    const added = await json(
      'connections',
      'add',
      file,
      '--name',
      name,
      '--create',
      '--external-clients',
      'read-write',
    );
    ids.set(name, added.id);
  }
  url = `http://127.0.0.1:${home.handshake()?.port}/mcp`;
}, 60_000);
afterAll(() => home.clean());

const mint = (name: string, connections: string): Promise<{ id: string; token: string }> =>
  json('tokens', 'mint', '--name', name, '--scope', 'full-access', '--connections', connections);

const uriOf = (name: string) => `sallyport://connections/${ids.get(name) ?? name}/schema`;

const everything = (...names: string[]) => ({
  toolsListChanged: true,
  promptsListChanged: true,
  resourcesListChanged: true,
  resourceSubscriptions: ['sallyport://connections', ...names.map(uriOf)],
});

const create = (token: string, connection: string, table: string) =>
  send(
    url,
    wireModern(token, 'tools/call', {
      name: 'execute_query',
      arguments: { connection, sql: `create table ${table} (id integer)` },
    }),
  );

/** Makes a change that its reader hears about; all earlier events have arrived by then. */
async function marked(reader: EventReader, token: string, table: string): Promise<string[]> {
  const before = reader.heard.length;
  await create(token, 'Seen', table);
  await until(
    () =>
      reader
        .words()
        .slice(before)
        .includes(`resources/updated ${uriOf('Seen')}`),
    'the mark is told',
  );
  return reader.words();
}

test('a hidden connection: the same acknowledgement as for an unknown one, and no event about any change to it', async () => {
  const all = await mint('all', 'all');
  const { token } = await mint('narrow', 'Seen');
  const reader = await listen(url, token, everything('Seen', 'Vault', 'never-was'));
  expect(reader.heard[0]?.params?.notifications).toEqual({
    resourcesListChanged: true,
    resourceSubscriptions: ['sallyport://connections', uriOf('Seen'), uriOf('Vault'), uriOf('never-was')],
  });
  const free = await listen(url, all.token, everything('Vault'));

  await create(all.token, 'Vault', 'secret');
  await json('connections', 'set', 'Vault', '--name', 'Vault-2');
  await json('connections', 'set', 'Vault-2', '--name', 'Vault');
  const added = await json('connections', 'add', `${home.folder}/New.db`, '--name', 'never-was', '--create');
  await json('connections', 'remove', 'never-was');
  expect(added.id).toBeDefined();
  // A reader that may see it hears all of it, so there was something to tell.
  await until(() => free.words().includes('resources/list_changed'), 'the other token is told');
  expect(free.words()).toContain(`resources/updated ${uriOf('Vault')}`);

  expect(await marked(reader, token, 'mark_a')).toEqual([
    'subscriptions/acknowledged',
    `resources/updated ${uriOf('Seen')}`,
  ]);
  expect(JSON.stringify(reader.heard.slice(1))).not.toContain(ids.get('Vault'));
  reader.leave();
  free.leave();
});

test('one that becomes hidden is reported once, as gone; then nothing', async () => {
  const { token } = await mint('both', 'Seen,Vault');
  const all = await mint('all too', 'all');
  const reader = await listen(url, token, everything('Seen', 'Vault'));
  await json('connections', 'set', 'Vault', '--external-clients', 'blocked');
  await until(() => reader.words().includes('resources/list_changed'), 'it is told');
  await json('connections', 'set', 'Vault', '--name', 'Vault-3');
  await json('connections', 'set', 'Vault-3', '--name', 'Vault');
  const words = await marked(reader, all.token, 'mark_b');
  expect(words.filter(word => word === 'resources/list_changed')).toHaveLength(1);
  await json('connections', 'set', 'Vault', '--external-clients', 'read-write');
  await until(() => reader.words().filter(word => word === 'resources/list_changed').length === 2, 'it is back');
  reader.leave();
});

test('a connection that asks the user first reveals nothing of its schema before they approve', async () => {
  const { token } = await mint('asks', 'all');
  await json('connections', 'set', 'Vault', '--ai-policy', 'ask');
  const reader = await listen(url, token, everything('Seen', 'Vault'));
  await json('connections', 'set', 'Vault', '--external-clients', 'read-only');
  await until(() => reader.words().includes('resources/updated sallyport://connections'), 'the list is told');
  expect(await marked(reader, token, 'mark_c')).not.toContain(`resources/updated ${uriOf('Vault')}`);
  reader.leave();
});

test('a revoked token hears its last message, and nothing after it', async () => {
  const all = await mint('all three', 'all');
  const { id, token } = await mint('short', 'all');
  const reader = await listen(url, token, everything('Seen'), 77);
  await json('tokens', 'revoke', id);
  await until(() => reader.isOver(), 'the stream is over');
  expect(reader.heard.at(-1)).toMatchObject({
    id: 77,
    result: { resultType: 'complete', _meta: { 'io.modelcontextprotocol/subscriptionId': 77 } },
  });
  const said = reader.heard.length;
  await create(all.token, 'Seen', 'mark_d');
  expect(reader.heard).toHaveLength(said);
  expect(await listen(url, token, everything('Seen'))).toMatchObject({ status: 401 });
});

test('a pause is the last message to all, and nobody listens during it', async () => {
  const { token } = await mint('paused', 'all');
  const reader = await listen(url, token, everything('Seen'));
  await json('pause');
  await until(() => reader.isOver(), 'the stream is over');
  expect(reader.words().at(-1)).toBe('result');
  expect((await listen(url, token, everything('Seen'))).status).toBe(503);
  await json('resume');
});
