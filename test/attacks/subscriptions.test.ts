/**
 * Threat: a client learns through `subscriptions/listen`, or a session's GET, what it may not see. No event mentions a
 * connection hidden from its token, another token's view, or a request that waits for the user. A
 * token's end also ends its stream.
 */

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { RealHome } from '../bridge/real-home.ts';
import { type EventReader, listen, listenInSession } from '../clients/http/event-reader.ts';
import { modern, openSession, send } from '../clients/http/wire.ts';
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

test('a session’s stream: its token’s view alone, for its token alone, and no longer than that', async () => {
  const [all, narrow] = await Promise.all([mint('all four', 'all'), mint('one of two', 'Seen')]);
  const [sees, session] = await Promise.all([all, narrow].map(({ token }) => openSession(url, token)));
  if (sees === undefined || session === undefined) throw new TypeError('There are two');
  const free = await listenInSession(url, all.token, sees);
  const reader = await listenInSession(url, narrow.token, session);
  for (const named of [session, { 'Mcp-Session-Id': 'x' }])
    expect((await listenInSession(url, all.token, named)).status).toBe(404);
  for (const spoiled of [{ Origin: 'http://localhost' }, { Origin: 'null' }])
    expect((await listenInSession(url, narrow.token, { ...session, ...spoiled })).status).toBe(403);
  expect((await listenInSession(url, 'sp_none', session)).status).toBe(401);
  expect((await listenInSession(url, narrow.token, {})).status).toBe(405);

  await rename('Vault');
  await until(() => free.heard.length === 2, 'the other token is told');
  expect(await marked(reader)).toEqual(twice);
  const told = { jsonrpc: '2.0', method: 'notifications/resources/list_changed', params: {} };
  expect(reader.heard).toEqual([told, told]);

  const [paused, revoked] = [reader, await listenInSession(url, all.token, sees)];
  await until(() => free.isOver(), 'a session has one stream, the newest');
  await json('pause');
  await until(() => paused.isOver() && revoked.isOver(), 'a pause ends all');
  expect((await listenInSession(url, all.token, sees)).status).toBe(503);
  await json('resume');
  const last = await listenInSession(url, all.token, sees);
  await json('tokens', 'revoke', all.id);
  await until(() => last.isOver(), 'its token is gone');
  expect(last.heard).toEqual([]);
  expect((await listenInSession(url, all.token, sees)).status).toBe(401);
});

test('an answer to another: no event, no place in the list, nothing to read', async () => {
  const propose = (asker: string, name: string) =>
    send(
      url,
      modern(
        asker,
        'tools/call',
        {
          name: 'propose_changes',
          arguments: { connection: 'Vault', statements: ['create table x (id int)'], reason: 'r' },
        },
        as(name),
      ),
    );
  const as = (name: string) => ({ meta: { 'io.modelcontextprotocol/clientInfo': { name, version: '1' } } });
  const [asking, seeing, narrow] = await Promise.all([
    mint('asking', 'all'),
    mint('seeing', 'all'),
    mint('few', 'Seen'),
  ]);
  const readers = await Promise.all([asking, seeing, narrow].map(({ token }) => listen(url, token, changes)));
  // The reader's own name for itself is another one.
  await propose(asking.token, 'another client');
  await propose(asking.token, 'wire test');
  const asked: { id: string; client: string }[] = await json('allow');
  for (const { id } of asked) await json('allow', 'no', id);
  await until(() => readers[0]?.heard.length === 2, 'who asked is told, once');
  for (const reader of readers.slice(1)) expect(reader.heard).toHaveLength(1);
  const uris = async (token: string, name: string) => {
    const { json: answer } = await send(url, modern(token, 'resources/list', {}, as(name)));
    const { resources } = answer.result as { resources: { uri: string }[] };
    return resources.map(({ uri }) => uri).filter(uri => uri.includes('answers'));
  };
  const [own = ''] = await uris(asking.token, 'wire test');
  expect(own).toBe(`sallyport://answers/${asked.find(({ client }) => client === 'wire test')?.id}`);
  for (const [token, name] of [
    [asking.token, 'a third'],
    [seeing.token, 'wire test'],
    [narrow.token, 'wire test'],
  ] as const) {
    expect(await uris(token, name)).toEqual([]);
    const { json: answer } = await send(url, modern(token, 'resources/read', { uri: own }, as(name)));
    expect(answer.error).toMatchObject({ code: -32602, message: expect.stringContaining('There is no such answer') });
  }
  // Nor does who asked, once the connection is hidden.
  await json('connections', 'set', 'Vault', '--external-clients', 'blocked');
  expect(await uris(asking.token, 'wire test')).toEqual([]);
  await json('connections', 'set', 'Vault', '--external-clients', 'read-only');
  for (const reader of readers) reader.leave();
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
