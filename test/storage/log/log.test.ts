/**
 * The daemon's log: free of secrets whatever it is given, limited in size, private, and harmless if
 * it can't be written.
 */

import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { logFileName, openLog } from '../../../daemon/storage/log/log.ts';
import { temporaryFolder } from '../home-for-tests.ts';

const parent = temporaryFolder();
let folder: string;
let count = 0;
beforeEach(() => {
  count += 1;
  folder = join(parent, `logs-${count}`);
});

const path = () => join(folder, logFileName);
const text = () => readFileSync(path(), 'utf8');
const lines = () =>
  text()
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line));

describe('secrets', () => {
  const token = `sp_${randomBytes(32).toString('base64url')}`;
  const nonce = randomBytes(32).toString('base64url');
  const plain = 'hunter2-of-the-log';

  /** Each secret in the field or form in which a careless line would have it. */
  const careless: readonly [string, object][] = [
    ...[
      'password',
      'Password',
      'db_password',
      'PGPASSWORD',
      'passwd',
      'passphrase',
      'ownerPassphrase',
      'secret',
      'shellSecret',
      'token',
      'bridgeToken',
      'access_token',
      'authorization',
      'Authorization',
      'proxy-authorization',
      'cookie',
      'credentials',
      'code_verifier',
      'verifier',
      'challenge',
      'proof',
      'salt',
      'hash',
      'apiKey',
      'session_key',
      'sql',
      'statement',
      'query',
      'parameters',
      'params',
      'arguments',
      'rows',
      'cell',
      'value',
      'body',
      'headers',
      'env',
      'argv',
      'command',
    ].flatMap((name): [string, object][] => [
      [`${name} as a text`, { [name]: plain }],
      [`${name} within`, { outer: { list: [{ [name]: { deep: plain } }] } }],
      [`${name} as a list`, { [name]: [plain, { x: plain }] }],
    ]),
    ['a token in a harmless field', { note: `got ${token} from it` }],
    ['a cut token', { note: token.slice(0, 20) }],
    ['a token as a field name', { [token]: 1 }],
    ['a nonce', { note: nonce }],
    ['a bearer header', { note: `Authorization: Bearer ${plain}` }],
    ['an address with a password', { note: `dial postgres://anna:${plain}@db.example/shop failed` }],
    ['an address whose password has a slash and an at', { note: `mysql://anna:a/b@${plain}@db.example/shop` }],
    ['libpq words', { note: `host=db password=${plain} user=anna` }],
    ['a quoted assignment', { note: `{"password": "${plain}"}` }],
    ['SQL that sets a password', { note: `CREATE USER x IDENTIFIED BY '${plain}'` }],
    ['a private key', { note: `-----BEGIN PRIVATE KEY-----\n${plain}\n-----END PRIVATE KEY-----` }],
    ['bytes', { note: Buffer.from(plain) }],
    ['a map', { note: new Map([['password', plain]]) }],
    ['an error’s message', new Error(`near "${plain}": syntax error`)],
    [
      'an error within',
      { err: new Error(plain), error: new TypeError(plain), cause: Object.assign(new Error('x'), { sql: plain }) },
    ],
    ['an error’s code', Object.assign(new Error('x'), { code: `password=${plain}` })],
    ['an error’s name', Object.assign(new Error('x'), { name: token })],
    ['an error’s place', Object.assign(new Error('x'), { stack: `Error: x\n    at ${token} (a.js:1:1)` })],
    ['an error with members', Object.assign(new Error('x'), { detail: plain, password: plain })],
    ['an object that makes its own JSON', { toJSON: () => ({ password: plain }) }],
  ];

  test.each(careless)('%s isn’t written', (_, facts) => {
    const log = openLog(folder, { level: 'debug' });
    for (const level of ['debug', 'info', 'warn', 'error'] as const) {
      log[level](facts, 'something happened');
      log[level]({ facts: [facts] }, 'and within');
    }
    expect(lines()).toHaveLength(8);
    for (const secret of [plain, token, token.slice(3, 20), nonce]) expect(text()).not.toContain(secret);
    expect(Buffer.from(text(), 'utf8').includes(Buffer.from(plain).toString('base64'))).toBe(false);
  });

  test('nor in the sentence', () => {
    const log = openLog(folder);
    log.info({}, `a client came with ${token}`);
    log.info({}, `password=${plain}`);
    log.info({ note: '%s' }, `%s %o Bearer ${plain}`);
    expect(lines()).toHaveLength(3);
    for (const secret of [plain, token]) expect(text()).not.toContain(secret);
  });

  test('other text stays readable', () => {
    const facts = {
      requestId: '6f1c1d2e-0000-4000-8000-000000000001',
      tool: 'list_tables',
      tokenName: 'Editor',
      key: 'results.maxRows',
      statementHash: 'ab'.repeat(32),
      code: 'ECONNREFUSED',
      port: 27_432,
      at: ['at run (/opt/sallyport/build/daemon/statement/run.js:12:3)'],
      nothing: null,
    };
    openLog(folder).warn(facts, 'a tool failed');
    expect(lines()[0]).toMatchObject({ level: 'warn', msg: 'a tool failed', ...facts });
    expect(Date.parse(lines()[0].time)).not.toBeNaN();
  });

  test('endless and circular things are cut', () => {
    const circular: Record<string, unknown> = { name: 'x'.repeat(100_000) };
    circular.self = circular;
    openLog(folder).info(circular, 'x');
    expect(lines()).toHaveLength(1);
    expect(text().length).toBeLessThan(16_384);
  });
});

test('levels: lower ones aren’t written', () => {
  const log = openLog(folder, { level: 'warn' });
  log.debug({}, 'a');
  log.info({}, 'b');
  log.warn({}, 'c');
  log.error({}, 'd');
  expect(lines().map(({ msg }) => msg)).toEqual(['c', 'd']);
});

describe('the file', () => {
  test('becomes private if it wasn’t, and is never written through a link', () => {
    mkdirSync(folder);
    writeFileSync(path(), '', { mode: 0o644 });
    chmodSync(path(), 0o644);
    openLog(folder).info({}, 'x');
    expect((statSync(path()).mode & 0o777).toString(8)).toBe('600');
    rmSync(path());
    const elsewhere = join(parent, `elsewhere-${count}`);
    writeFileSync(elsewhere, '');
    symlinkSync(elsewhere, path());
    openLog(folder).info({}, 'x');
    expect(readFileSync(elsewhere, 'utf8')).toBe('');
  });

  test('is started anew at its maximum size, and only some are kept, with each line whole and in order', () => {
    const log = openLog(folder, { limits: { fileBytes: 2_000, files: 3 } });
    for (let number = 0; number < 200; number += 1) log.info({ number }, 'a line');
    const names = readdirSync(folder).sort();
    expect(names).toEqual([logFileName, `${logFileName}.1`, `${logFileName}.2`]);
    const numbers = [...names].reverse().flatMap(name => {
      expect(statSync(join(folder, name)).size).toBeLessThanOrEqual(2_000);
      expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
      return readFileSync(join(folder, name), 'utf8')
        .trim()
        .split('\n')
        .map(line => JSON.parse(line).number);
    });
    expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, index) => 200 - numbers.length + index));
    openLog(folder, { limits: { fileBytes: 2_000, files: 3 } }).info({ number: 200 }, 'by the next run');
    expect(text()).toContain('by the next run');
  });

  test('that can’t be written causes no trouble, and later says how many lines are missing', () => {
    writeFileSync(folder, 'a file where the folder should be');
    const log = openLog(folder);
    for (let number = 0; number < 3; number += 1) log.info({ number }, 'lost');
    rmSync(folder);
    log.info({}, 'found again');
    expect(lines()).toMatchObject([{ level: 'warn', lines: 3 }, { msg: 'found again' }]);
  });

  test('on a full disk the process continues', () => {
    const built = new URL('../../../build/daemon/storage/log/log.js', import.meta.url).href;
    const script = `
      const { openLog } = await import(${JSON.stringify(built)});
      const log = openLog(${JSON.stringify(folder)});
      for (let number = 0; number < 1000; number += 1) log.info({ number, note: 'x '.repeat(50) }, 'a line');
      console.log('went on');`;
    // Half-KiB blocks: no file may grow beyond 8 KiB, as on a full disk.
    const ran = spawnSync(
      'sh',
      ['-c', 'ulimit -f 16; exec "$0" --input-type=module -e "$1"', process.execPath, script],
      {
        encoding: 'utf8',
        env: { PATH: process.env.PATH },
      },
    );
    expect(ran).toMatchObject({ status: 0, stdout: 'went on\n', stderr: '' });
    expect(statSync(path()).size).toBeLessThanOrEqual(16 * 1_024);
    expect(statSync(path()).size).toBeGreaterThan(4_000);
  });
});
