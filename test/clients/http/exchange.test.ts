import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type RunningServer, runServer } from './running-server.ts';
import { type Answer, send } from './wire.ts';

let server: RunningServer;
beforeAll(async () => {
  server = await runServer();
});
afterAll(() => server.stop());

const code = '5b1d8f0e-6c1e-4d5e-9d2f-0a4a52b8f001';
const verifier = 'a'.repeat(43);
const post = (body: unknown, type = 'application/json'): Promise<Answer> =>
  send(server.url, {
    path: '/v1/integrations/exchange',
    headers: { 'Content-Type': type },
    body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
  });

describe('a well-formed body', () => {
  test.each([
    ['a code nobody holds', { code, code_verifier: verifier }],
    ['a code that is no UUID', { code: 'abc', code_verifier: `${'~'.repeat(64)}${'.-_Z'.repeat(16)}` }],
    ['fields it does not know', { code, code_verifier: verifier, extra: [1] }],
  ])('%s: 404, word for word, and never cached', async (_what, body) => {
    const answer = await post(body);
    expect(answer.status).toBe(404);
    expect(answer.text).toBe('{"error":"code_not_found","error_description":"Pairing code not found"}');
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.headers['content-type']).toBe('application/json');
  });

  test('a character set after the content type is fine, and no bearer is needed', async () => {
    expect((await post({ code, code_verifier: verifier }, 'Application/JSON; charset=utf-8')).status).toBe(404);
  });
});

describe('a malformed body is 400 invalid_request', () => {
  test.each<[string, unknown]>([
    ['not JSON', '{'],
    ['nothing', ''],
    ['a list', []],
    ['a string', '"x"'],
    ['null', 'null'],
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0xff, 0x7d])],
    ['no code', { code_verifier: verifier }],
    ['no verifier', { code }],
    ['a code that is a number', { code: 1, code_verifier: verifier }],
    ['a verifier that is null', { code, code_verifier: null }],
    ['an empty code', { code: '', code_verifier: verifier }],
    ['a code over 1,024 bytes', { code: 'é'.repeat(513), code_verifier: verifier }],
    ['a verifier over 1,024 bytes', { code, code_verifier: 'a'.repeat(1_025) }],
    ['an extra field over 1,024 bytes', { code, code_verifier: verifier, more: 'x'.repeat(1_025) }],
    ['an extra list over 1,024 bytes', { code, code_verifier: verifier, more: Array(600).fill(1) }],
    ['an extra name over 1,024 bytes', { code, code_verifier: verifier, ['n'.repeat(1_025)]: 1 }],
    [
      'an extra number over 1,024 bytes',
      `{"code":"${code}","code_verifier":"${verifier}","more":1${'0'.repeat(1_024)}}`,
    ],
    [
      'a fraction over 1,024 bytes',
      `{"code":"${code}","code_verifier":"${verifier}","more": 0.${'0'.repeat(1_024)}1 }`,
    ],
    [
      'a long field that comes again',
      `{"more":"${'x'.repeat(1_025)}","code":"${code}","code_verifier":"${verifier}","more":1}`,
    ],
    ['a field within a field over 1,024 bytes', { code, code_verifier: verifier, more: { a: 'x'.repeat(1_025) } }],
    ['a verifier of 42', { code, code_verifier: 'a'.repeat(42) }],
    ['a verifier of 129', { code, code_verifier: 'a'.repeat(129) }],
    ['a reserved character in the verifier', { code, code_verifier: `${'a'.repeat(43)}+` }],
    ['a line break after the verifier', { code, code_verifier: `${'a'.repeat(43)}\n` }],
    ['more than 8 KiB', { code, code_verifier: verifier, padding: 'x'.repeat(8_192) }],
  ])('%s', async (_what, body) => {
    const answer = await post(body);
    expect([answer.status, answer.json.error]).toEqual([400, 'invalid_request']);
    expect(answer.json.error_description).toMatch(/\.$/);
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  test.each(['application/x-www-form-urlencoded', 'text/plain', 'application/jsonp', ''])('sent as %p', async type => {
    const answer = await post({ code, code_verifier: verifier }, type);
    expect([answer.status, answer.json.error]).toEqual([400, 'invalid_request']);
  });

  test('more than 8 KiB without a declared length', async () => {
    const answer = await send(server.url, {
      path: '/v1/integrations/exchange',
      headers: { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' },
      body: JSON.stringify({ code, code_verifier: verifier, padding: 'x'.repeat(20_000) }),
    });
    expect([answer.status, answer.json.error]).toEqual([400, 'invalid_request']);
  });
});
