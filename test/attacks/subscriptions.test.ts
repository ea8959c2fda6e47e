/**
 * Threat: a client learns through `subscriptions/listen` what it may not see. No event mentions a
 * connection hidden from its token, another token's view, or a request that waits for the user. A
 * token's end also ends its stream.
 */

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { RealHome } from '../bridge/real-home.ts';
import { type EventReader, listen } from '../clients/http/event-reader.ts';
import { until } from '../waiting/until.ts';

let home: RealHome;
let url: string;
const json = async (...words: string[]) => JSON.parse(await home.here(...words, '--json'));

beforeAll(async () => {
  home = new RealHome();
  await json('start');
  await json('settings', 'set', 'limits.requestsPerMinute', '0');
  for (const name of ['Seen', 'Vault']) {
    const file = `${home.folder}/${name}.db`;
    await json('connections', 'add', file, '--name', name, '--create');
  }
  url = `http://127.0.0.1:${home.handshake()?.port}/mcp`;
}, 60_000);
afterAll(() => home.clean());

const mint = (name: string, connections: string): Promise<{ id: string; token: string }> =>
  json('tokens', 'mint', '--name', name, '--scope', 'full-access', '--connections', connections);

const changes = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };

const rename = async (name: string) => {
  await json('connections', 'set', name, '--name', `${name}-2`);
  await json('connections', 'set', `${name}-2`, '--name', name);
};

/** Makes a change that its reader hears about; all earlier events have arrived by then. */
async function marked(reader: EventReader): Promise<string[]> {
  const before = reader.heard.length;
  await json('connections', 'set', 'Seen', '--name', 'Seen-2');
  await until(() => reader.heard.length > before, 'the mark is told');
  await json('connections', 'set', 'Seen-2', '--name', 'Seen');
  await until(() => reader.heard.length > before + 1, 'the mark is told again');
  return reader.words().slice(before);
}

const twice = ['resources/list_changed', 'resources/list_changed'];

test('a hidden connection: no event about any change to it', async () => {
  const all = await mint('all', 'all');
  const { token } = await mint('narrow', 'Seen');
  const reader = await listen(url, token, {
    ...changes,
    resourceSubscriptions: ['sallyport://connections/Vault/schema'],
  });
  expect(reader.heard[0]?.params?.notifications).toEqual({ resourcesListChanged: true });
  const free = await listen(url, all.token, changes);

  await rename('Vault');
  await json('connections', 'add', `${home.folder}/New.db`, '--name', 'never-was', '--create');
  await json('connections', 'remove', 'never-was');
  // A reader that may see it hears all of it, so there was something to tell.
  await until(() => free.heard.length === 5, 'the other token is told');

  expect(await marked(reader)).toEqual(twice);
  expect(reader.heard).toHaveLength(3);
  reader.leave();
  free.leave();
});

test('one that becomes hidden is reported once, as gone; then nothing', async () => {
  const { token } = await mint('both', 'Seen,Vault');
  const reader = await listen(url, token, changes);
  await json('connections', 'set', 'Vault', '--external-clients', 'blocked');
  await until(() => reader.heard.length === 2, 'it is told');
  await rename('Vault');
  expect(await marked(reader)).toEqual(twice);
  expect(reader.heard).toHaveLength(4);
  await json('connections', 'set', 'Vault', '--external-clients', 'read-only');
  await until(() => reader.heard.length === 5, 'it is back');
  reader.leave();
});

test('a revoked token hears its last message, and nothing after it', async () => {
  const all = await mint('all three', 'all');
  const { id, token } = await mint('short', 'all');
  const reader = await listen(url, token, changes, 77);
  await json('tokens', 'revoke', id);
  await until(() => reader.isOver(), 'the stream is over');
  expect(reader.heard.at(-1)).toMatchObject({
    id: 77,
    result: { resultType: 'complete', _meta: { 'io.modelcontextprotocol/subscriptionId': 77 } },
  });
  const said = reader.heard.length;
  const other = await listen(url, all.token, changes);
  await marked(other);
  other.leave();
  expect(reader.heard).toHaveLength(said);
  expect(await listen(url, token, changes)).toMatchObject({ status: 401 });
});

test('a pause is the last message to all, and nobody listens during it', async () => {
  const { token } = await mint('paused', 'all');
  const reader = await listen(url, token, changes);
  await json('pause');
  await until(() => reader.isOver(), 'the stream is over');
  expect(reader.words().at(-1)).toBe('result');
  expect((await listen(url, token, changes)).status).toBe(503);
  await json('resume');
});
