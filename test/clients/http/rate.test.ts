/**
 * Rate, concurrency and pause at the real HTTP server (spec §4 order, §13); only the clock is the
 * test's own.
 */

import type { IncomingMessage } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { costOf, reserveQuota } from '../../../daemon/clients/http/request-quota.ts';
import { callMillisecondsOf } from '../../../shared/call-time.ts';
import { until } from '../../waiting/until.ts';
import { type ClockedAdmission, clockedAdmission } from './admission-for-tests.ts';
import { type RunningServer, runServer } from './running-server.ts';
import { type Answer, legacy, modern, openRaw, openSession, send } from './wire.ts';

let admission: ClockedAdmission;
let server: RunningServer;
let token: string;
beforeEach(async () => {
  admission = clockedAdmission();
  server = await runServer({ waitSeconds: 0.5 }, admission);
  token = await server.token();
});
afterEach(() => server.stop());

const list = (as = token, headers: Record<string, string> = {}): Promise<Answer> =>
  send(server.url, modern(as, 'tools/list', {}, { headers }));
const limited = ({ status, json, headers }: Answer): unknown[] => [status, json.error?.code, headers['retry-after']];
const slow = (name: string, as = token, headers: Record<string, string> = {}): Promise<Answer> =>
  send(server.url, modern(as, 'tools/call', { name: 'slow', arguments: { name } }, { headers }));
const began = (count: number): Promise<void> =>
  until(() => server.slowTool.filter(line => line.startsWith('began')).length === count, `${count} calls run`);

/** An open subscription: a stream that ends when its client leaves. */
async function subscribe(): Promise<{ readonly received: () => string; readonly end: () => void }> {
  const { headers = {}, body = '' } = modern(token, 'subscriptions/listen', { notifications: {} });
  const raw = await openRaw(server.http.port);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  raw.write(`POST /mcp HTTP/1.1\r\nHost: localhost\r\n${lines.join('')}Content-Length: ${body.length}\r\n\r\n${body}`);
  await raw.until('\r\n\r\n');
  return raw;
}

describe('rate', () => {
  beforeEach(() => {
    admission.limits = { requestsPerMinute: 3, concurrentRequests: 8 };
  });

  test('one too many is 429 -33010 with the wait, and passes after it', async () => {
    for (let time = 0; time < 3; time++) expect((await list()).status).toBe(200);
    admission.advanceSeconds(20);
    expect(limited(await list())).toEqual([429, -33010, '40']);
    expect((await list(await server.token())).status).toBe(200);
    admission.advanceSeconds(40);
    expect((await list()).status).toBe(200);
  });

  test('bridges are counted by their own names, and together', async () => {
    const bridge = (name: number) => list(server.bridgeToken, { 'Sallyport-Bridge': `bridge-number-${1000 + name}` });
    for (let time = 0; time < 3; time++) expect((await bridge(1)).status).toBe(200);
    expect(limited(await bridge(1))).toEqual([429, -33010, '60']);
    for (const name of [2, 3, 4]) for (let time = 0; time < 3; time++) expect((await bridge(name)).status).toBe(200);
    expect(limited(await bridge(5))).toEqual([429, -33010, '60']);
    expect((await list()).status).toBe(200);
  });

  test('a minted token gains nothing by calling itself a bridge', async () => {
    for (let name = 0; name < 3; name++) await list(token, { 'Sallyport-Bridge': `bridge-number-${1000 + name}` });
    expect((await list(token, { 'Sallyport-Bridge': 'bridge-number-9999' })).status).toBe(429);
  });

  test('it is checked before the body: nobody sends a megabyte to hear a refusal', async () => {
    for (let time = 0; time < 3; time++) await list();
    const raw = await openRaw(server.http.port);
    const bearer = `Authorization: Bearer ${token}\r\nContent-Type: application/json\r\n`;
    raw.write(`POST /mcp HTTP/1.1\r\nHost: localhost\r\n${bearer}Content-Length: 1000000\r\n\r\n`);
    expect(await raw.until('-33010')).toContain('HTTP/1.1 429');
    raw.end();
  });

  test('subscriptions/listen is exempt, even once the minute is used up', async () => {
    for (let time = 0; time < 3; time++) await list();
    for (let time = 0; time < 5; time++) {
      const open = await subscribe();
      expect(open.received()).toContain('HTTP/1.1 200');
      open.end();
    }
    expect((await list()).status).toBe(429);
  });

  test('a header that only claims it exempts nothing', async () => {
    const lie = (id: number): Promise<Answer> =>
      send(server.url, {
        ...modern(token, 'tools/list', {}, { id }),
        headers: { ...modern(token, 'tools/list').headers, 'Mcp-Method': 'subscriptions/listen' },
      });
    for (let id = 0; id < 3; id++) expect((await lie(id)).status).toBe(400);
    const fourth = await lie(4);
    expect(limited(fourth)).toEqual([429, -33010, '60']);
    expect(fourth.json.id).toBe(4);
    expect((await list()).status).toBe(429);
  });

  test('nor does it if the body is large, or of an undeclared length', async () => {
    for (let time = 0; time < 3; time++) await list();
    const large = modern(token, 'subscriptions/listen', { notifications: {}, padding: 'x'.repeat(70_000) });
    expect((await send(server.url, large)).status).toBe(429);
    const { headers = {} } = modern(token, 'subscriptions/listen');
    const raw = await openRaw(server.http.port);
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    raw.write(`POST /mcp HTTP/1.1\r\nHost: localhost\r\n${lines.join('')}Transfer-Encoding: chunked\r\n\r\n`);
    expect(await raw.until('-33010')).toContain('HTTP/1.1 429');
    raw.end();
  });

  test('a method of that name in the older revisions is no subscription', async () => {
    const session = await openSession(server.url, token);
    const listen = (id: number) =>
      send(
        server.url,
        legacy(
          token,
          { jsonrpc: '2.0', id, method: 'subscriptions/listen' },
          { ...session, 'Mcp-Method': 'subscriptions/listen' },
        ),
      );
    await listen(1);
    await listen(2);
    expect(limited(await listen(3))).toEqual([429, -33010, '60']);
  });
});

describe('at once', () => {
  beforeEach(() => {
    admission.limits = { requestsPerMinute: 0, concurrentRequests: 3 };
  });

  test('one that waits in vain is 429 -33010 with its id and a wait; others continue; when one ends, another may start', async () => {
    const ends = new AbortController();
    const running = [slow('1'), slow('2')];
    const { headers = {}, body = '' } = modern(token, 'tools/call', { name: 'slow', arguments: { name: '3' } });
    const third = fetch(server.url, { method: 'POST', headers, body: String(body), signal: ends.signal }).catch(
      () => null,
    );
    await began(3);
    const fourth = await slow('4');
    expect(limited(fourth)).toEqual([429, -33010, '1']);
    expect(fourth.json.id).toBe(7);
    expect((await list(await server.token())).status).toBe(200);
    ends.abort();
    await third;
    await until(() => server.slowTool.includes('ended 3'), 'the third ended');
    expect((await list()).status).toBe(200);
    await server.http.close(0);
    await Promise.all(running);
  });

  test('one too many waits, and is answered as soon as there is room, in order of arrival', async () => {
    await server.stop();
    server = await runServer({}, admission);
    token = await server.token();
    const first = Array.from({ length: 3 }, (_, number) =>
      send(
        server.url,
        modern(token, 'tools/call', { name: 'slow', arguments: { name: `${number}`, milliseconds: 1_500 } }),
      ),
    );
    await began(3);
    const then = [];
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      then.push(
        send(server.url, modern(token, 'tools/call', { name: 'slow', arguments: { name, milliseconds: 100 } })),
      );
      await new Promise(resolve => setTimeout(resolve, 30));
    }
    expect(server.slowTool.filter(line => line.startsWith('began'))).toHaveLength(3);
    // No other principal has to wait.
    expect((await list(await server.token())).status).toBe(200);
    for (const answer of await Promise.all([...first, ...then])) expect(answer.status).toBe(200);
    const order = server.slowTool.filter(line => line.startsWith('began')).map(line => line.slice(6));
    expect(order.slice(3)).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  test('a large body waits unread, then is read', async () => {
    const running = Array.from({ length: 3 }, (_, number) =>
      send(
        server.url,
        modern(token, 'tools/call', { name: 'slow', arguments: { name: `${number}`, milliseconds: 300 } }),
      ),
    );
    await began(3);
    const text = 'x'.repeat(900_000);
    const large = await send(server.url, modern(token, 'tools/call', { name: 'echo', arguments: { text } }));
    expect(large.json.result?.content?.[0]?.text).toContain('it was text of 900000 characters');
    await Promise.all(running);
  });

  test('a client that leaves the queue isn’t served, and its place is free', async () => {
    await server.stop();
    server = await runServer({}, admission);
    token = await server.token();
    const running = [slow('1'), slow('2'), slow('3')];
    await began(3);
    const principal = { id: server.idOf(token), isBridge: false };
    const places = (): number => {
      const taken = [];
      for (let place = admission.concurrency.wait(principal, () => {}); place !== null; ) {
        taken.push(place);
        place = admission.concurrency.wait(principal, () => {});
      }
      for (const place of taken) place.leave();
      return 40 - taken.length;
    };
    const leaving = Array.from({ length: 5 }, (_, number) => {
      const ends = new AbortController();
      const { headers = {}, body = '' } = modern(token, 'tools/call', {
        name: 'slow',
        arguments: { name: `w${number}` },
      });
      void fetch(server.url, { method: 'POST', headers, body: String(body), signal: ends.signal }).catch(() => {});
      return ends;
    });
    await until(() => places() === 5, 'five wait');
    for (const ends of leaving) ends.abort();
    await until(() => places() === 0, 'nobody waits');
    await server.http.close(0);
    await Promise.all(running);
    expect(server.slowTool.filter(line => line.startsWith('began'))).toHaveLength(3);
  });

  test('a revoked token, and a pause, end the wait with their own answers', async () => {
    await server.stop();
    server = await runServer({}, admission);
    for (const [end, status, code] of [
      [(of: string) => server.tokens.revoke(server.idOf(of)), 401, -33009],
      [async () => server.http.endRequests('paused'), 200, undefined],
    ] as const) {
      const own = await server.token();
      const before = server.slowTool.length;
      const all = ['1', '2', '3', '4', '5'].map(name => slow(name, own));
      await until(() => server.slowTool.length === before + 3, 'three run');
      await new Promise(resolve => setTimeout(resolve, 100));
      await end(own);
      for (const answer of await Promise.all(all)) {
        expect([answer.status, answer.json.error?.code]).toEqual([status, code]);
      }
    }
  });

  test('bridges have 8 times as much together', async () => {
    const bridge = (name: number) => ({ 'Sallyport-Bridge': `bridge-number-${1000 + name}` });
    const running = [];
    for (let name = 0; name < 8; name++) {
      for (let time = 0; time < 3; time++) running.push(slow(`${name} ${time}`, server.bridgeToken, bridge(name)));
    }
    await began(24);
    expect((await list(server.bridgeToken, bridge(9))).status).toBe(429);
    expect((await list()).status).toBe(200);
    await server.http.close(0);
    await Promise.all(running);
  });

  test('an older client’s cancellation arrives though all its slots are taken', async () => {
    const session = await openSession(server.url, token);
    const call = (id: number) =>
      send(
        server.url,
        legacy(
          token,
          { jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'slow', arguments: { name: `${id}` } } },
          session,
        ),
      );
    const running = [call(1), call(2), call(3)];
    await began(3);
    expect((await call(4)).status).toBe(429);
    const notification = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } };
    expect((await send(server.url, legacy(token, notification, session))).status).toBe(202);
    await until(() => server.slowTool.includes('aborted 2'), 'the second was cancelled');
    await running[1];
    expect(
      (await send(server.url, legacy(token, { jsonrpc: '2.0', id: 5, method: 'tools/list' }, session))).status,
    ).toBe(200);
    await server.http.close(0);
    await Promise.all(running);
  });

  test('so does the cancellation of a call that waits for a slot, which then never runs', async () => {
    await server.stop();
    server = await runServer({}, admission);
    token = await server.token();
    const session = await openSession(server.url, token);
    const say = (message: Record<string, unknown>) =>
      send(server.url, legacy(token, { jsonrpc: '2.0', ...message }, session));
    const call = (id: number, more = {}) =>
      say({ id, method: 'tools/call', params: { name: 'slow', arguments: { name: `${id}`, ...more } } });
    const cancel = (requestId: number) => say({ method: 'notifications/cancelled', params: { requestId } });
    const running = [call(1), call(2), call(3)];
    await began(3);
    let isOver = false;
    const waiting = Promise.all([call(4, { milliseconds: 0 }), say({ id: 5, method: 'tools/list' })]);
    void waiting.then(() => {
      isOver = true;
    });
    // No event tells when they start to wait.
    for (let round = 0; !isOver && round < 50; round++) {
      await cancel(4);
      await cancel(5);
      await new Promise(resolve => setTimeout(resolve, 20));
    }
    await cancel(1);
    expect((await waiting).map(({ json }) => json.error?.code)).toEqual([-33002, -33002]);
    expect((await say({ id: 6, method: 'tools/list' })).status).toBe(200);
    expect(server.slowTool).not.toContain('began 4');
    await server.http.close(0);
    await Promise.all(running);
  });

  test('while all slots are taken no large body is read', async () => {
    const running = [slow('1'), slow('2'), slow('3')];
    await began(3);
    const raw = await openRaw(server.http.port);
    const bearer = `Authorization: Bearer ${token}\r\nContent-Type: application/json\r\n`;
    raw.write(`POST /mcp HTTP/1.1\r\nHost: localhost\r\n${bearer}Content-Length: 1000000\r\n\r\n`);
    expect(await raw.until('-33010')).toContain('HTTP/1.1 429');
    raw.end();
    await server.http.close(0);
    await Promise.all(running);
  });

  test('open subscriptions take none of them, and have a limit of their own', async () => {
    const { record } = server.tokens.mintBridgeToken(60);
    const principal = { ...record, tokenId: record.id, tokenName: record.name, isBridge: false, isBox: false };
    const request = async (method: string) => {
      const headers = { 'mcp-method': method, 'content-length': '200' };
      const taken = reserveQuota({ headers } as unknown as IncomingMessage, principal, admission, 50);
      if (taken.kind === 'refused') throw new Error('refused before its body');
      const { quota } = taken;
      const refusal = await quota.settle(costOf({ id: 1, method }, true), new AbortController().signal);
      return { refused: refusal !== null, end: quota.release };
    };
    const subscriptions = [];
    for (let time = 0; time < 4; time++) subscriptions.push(await request('subscriptions/listen'));
    expect(subscriptions.map(({ refused }) => refused)).toEqual([false, false, false, true]);
    const calls = [];
    for (let time = 0; time < 4; time++) calls.push(await request('tools/call'));
    expect(calls.map(({ refused }) => refused)).toEqual([false, false, false, true]);
    for (const { end } of [...subscriptions, ...calls]) end();
    expect((await request('subscriptions/listen')).refused).toBe(false);
    expect((await request('tools/call')).refused).toBe(false);
  });

  test('a call waits for one no longer than it gives itself', async () => {
    const { record } = server.tokens.mintBridgeToken(60);
    const principal = { ...record, tokenId: record.id, tokenName: record.name, isBridge: false, isBox: false };
    const call = (seconds: unknown) => ({ id: 1, params: { name: 'slow', arguments: { timeout_seconds: seconds } } });
    const headers = { 'content-length': '200' };
    const anHour = 3_600_000;
    for (let time = 0; ; time++) {
      const taken = reserveQuota({ headers } as unknown as IncomingMessage, principal, admission, anHour);
      if (taken.kind === 'refused') throw new Error(`refused at ${time}`);
      const refusal = await taken.quota.settle(
        'work',
        new AbortController().signal,
        callMillisecondsOf(call(0.1).params),
      );
      if (refusal === null) continue;
      expect(refusal).toMatchObject({ kind: 'limited', limit: 'concurrency' });
      break;
    }
    for (const none of [undefined, null, '3', -1, 0, 0.05, 301, Number.NaN])
      expect(callMillisecondsOf(call(none).params)).toBeUndefined();
    expect(callMillisecondsOf([])).toBeUndefined();
  });

  test('a client that left before its body was read takes no slot', async () => {
    const { record } = server.tokens.mintBridgeToken(60);
    const principal = { ...record, tokenId: record.id, tokenName: record.name, isBridge: false, isBox: false };
    for (let time = 0; time < 10; time++) {
      const taken = reserveQuota({ headers: {} } as unknown as IncomingMessage, principal, admission, 50);
      if (taken.kind === 'refused') throw new Error(`refused at ${time}`);
      taken.quota.release();
      expect(await taken.quota.settle('work', new AbortController().signal)).toBeNull();
    }
  });

  test('slots are freed however a request ends', async () => {
    for (let time = 0; time < 10; time++) {
      await list();
      await send(server.url, { ...modern(token, 'tools/list'), body: '{' });
      await send(server.url, modern(token, 'tools/call', { name: 'failing', arguments: {} }));
      const raw = await openRaw(server.http.port);
      raw.write(
        `POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{`,
      );
      raw.end();
    }
    await until(
      () => admission.concurrency.begin({ id: server.idOf(token), isBridge: false }, 'work') !== null,
      'a slot',
    );
    expect((await Promise.all([list(), list()])).map(({ status }) => status)).toEqual([200, 200]);
  });
});

describe('pause', () => {
  test('refuses every request on /mcp with 503 -33006, after the bearer and before the rate', async () => {
    admission.limits = { requestsPerMinute: 1, concurrentRequests: 8 };
    admission.paused = true;
    for (let time = 0; time < 3; time++) {
      const refused = await list();
      expect([refused.status, refused.json.error?.code]).toEqual([503, -33006]);
      expect(refused.json.error?.message).toContain('paused');
    }
    expect((await list('wrong')).status).toBe(401);
    admission.paused = false;
    expect((await list()).status).toBe(200);
    expect((await list()).status).toBe(429);
    admission.paused = true;
    expect((await list()).status).toBe(503);
  });

  test('refuses a call with a tool error, in the same words, in both eras', async () => {
    const session = await openSession(server.url, token);
    admission.paused = true;
    const said = (await list()).json.error?.message;
    const call = { jsonrpc: '2.0', id: 'c', method: 'tools/call', params: { name: 'slow', arguments: { name: 'x' } } };
    const facts = { 'app.sallyport/refusal': { kind: 'paused', code: -33006 } };
    const result = { content: [{ type: 'text', text: `denied: ${said}` }], isError: true, _meta: facts };
    const answered = await Promise.all([slow('y'), send(server.url, legacy(token, call, session))]);
    expect(answered.map(({ status }) => status)).toEqual([200, 200]);
    expect(answered[0]?.json.result).toEqual({ ...result, resultType: 'complete' });
    expect(answered[1]?.json).toEqual({ jsonrpc: '2.0', id: 'c', result });
    expect(server.slowTool).toEqual([]);
    // A message that is no call, or is too long for the refusing code to read, is an error.
    const large = modern(token, 'tools/call', { name: 'slow', arguments: { name: 'x'.repeat(70_000) } });
    expect((await send(server.url, large)).status).toBe(503);
  });

  test('an exchange still answers', async () => {
    admission.paused = true;
    const answer = await send(server.url, {
      path: '/v1/integrations/exchange',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ code: 'x', code_verifier: 'a'.repeat(43) }),
    });
    expect(answer.status).toBe(404);
  });

  test('ends what runs, in both eras, and says why', async () => {
    const session = await openSession(server.url, token);
    const call = { jsonrpc: '2.0', id: 3, method: 'tools/call', params: { name: 'slow', arguments: { name: 'old' } } };
    const running = [slow('new'), send(server.url, legacy(token, call, session))];
    await began(2);
    const open = await subscribe();
    server.http.endRequests('paused');
    for (const { status, json } of await Promise.all(running)) {
      expect([status, json.result?.isError]).toEqual([200, true]);
      expect(json.result?.content?.[0]?.text).toMatch(
        /^denied: Sallyport is paused: .*No statement of this request took effect\.$/,
      );
    }
    expect(server.slowTool).toEqual(expect.arrayContaining(['aborted new', 'aborted old']));
    open.end();
    // The server still listens: a pause closes nothing.
    expect((await list()).status).toBe(200);
  });
});
