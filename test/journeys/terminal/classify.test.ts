/**
 * The built `sallyport classify`: for people, for scripts, and with the catalog of a connection.
 */

import { spawn } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { engines } from '../../../shared/engine.ts';
import { decidedByText } from '../../guard/statements/table.ts';
import { needs } from '../../needs.ts';
import { lendPostgres } from '../../servers/lent.ts';
import { findPostgres, type PostgresServer } from '../../servers/postgres.ts';
import { executable, type RealHome, realHome } from '../../shell-terminal/real-home.ts';

const home: RealHome = realHome();
afterAll(() => home.clean());

const lines = (texts: readonly unknown[]) => texts.map(text => `${JSON.stringify(text)}\n`).join('');

describe('without a daemon', () => {
  test.each([
    ['postgres', 'delete from a.t where f(id) = 1', /^write\n[^\n]+\n {2}tables {2}a\.t\n {2}calls {3}f\n$/],
    ['mysql', '/*!50000 drop table t */', /^destructive\n/],
    ['sqlite', "vacuum into 'x'", /^forbidden\n/],
    ['sqlite', '', /^forbidden\n/],
    ['postgres', 'select 1;\n', /^read\n[^\n]+\n$/],
  ])('%s: %j', async (engine, stdin, said) => {
    const { code, stdout, stderr } = await home.run(['classify', engine], { stdin });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(said);
    expect(home.daemons()).toEqual([]);
  });

  test('the statement’s own text is shown escaped', async () => {
    const { stdout } = await home.run(['classify', 'sqlite'], { stdin: 'select * from "a\u001b[31m\u202eb"' });
    expect([...stdout].some(character => '\u001b\u202e'.includes(character))).toBe(false);
    expect(stdout).toContain('\\u{1b}');
  });

  test.each(engines)('--json: the classified table of %s, one line each', async engine => {
    const rows = decidedByText(engine);
    const stdin = lines(rows.map(row => row.sql));
    const { code, stdout, stderr } = await home.run(['classify', engine, '--json'], { stdin });
    expect([code, stderr]).toEqual([0, '']);
    const answers = stdout
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line));
    expect(answers.map((answer, at) => [rows[at]?.sql, answer.class])).toEqual(rows.map(row => [row.sql, row.class]));
    for (const answer of answers) {
      const strings = expect.not.arrayContaining([expect.not.stringMatching(/./)]);
      expect(answer).toEqual({ class: answer.class, reason: expect.any(String), tables: strings, calls: strings });
    }
  });

  test('--json: a malformed line gets an error in its place, a blank one nothing, and the exit code says so', async () => {
    const stdin = `"select 1"\nselect 1\n\n7\n"${'x'.repeat(1_000_001)}"\n"\\ud83d"\n"select '\u2028'"`;
    const { code, stdout, stderr } = await home.run(['classify', 'sqlite', '--json'], { stdin });
    expect([code, stderr]).toEqual([1, 'sallyport: 2 lines were not JSON strings.\n']);
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map(line => Object.keys(JSON.parse(line))[0]),
    ).toEqual(['class', 'error', 'error', 'class', 'class', 'class']);
  });

  test('--json: a reader that is slow, or gone, blocks nothing', async () => {
    const child = spawn(executable, ['classify', 'sqlite', '--json'], {
      env: { PATH: '/usr/bin:/bin', HOME: home.folder },
    });
    const ended = new Promise(resolve => child.once('exit', resolve));
    child.stdin.on('error', () => {});
    const [first] = await new Promise<string[]>(resolve => {
      child.stdout.once('data', data => resolve(String(data).split('\n')));
      child.stdin.write(lines(['select 1']));
    });
    // It answers before the stream ends.
    expect(JSON.parse(first ?? '')).toMatchObject({ class: 'read' });
    child.stdout.destroy();
    child.stdin.write(lines(Array(5_000).fill('select 1')));
    expect(await ended).toBe(0);
  });

  test('misuse', async () => {
    for (const words of [
      ['classify'],
      ['classify', 'oracle'],
      ['classify', 'postgres', 'mysql'],
      ['classify', 'mysql', '-x'],
    ]) {
      expect([words, (await home.run(words, { stdin: '' })).code]).toEqual([words, 2]);
    }
    const { code, stderr } = await home.run(['classify', 'sqlite', '--connection', 'x'], { stdin: 'select 1' });
    expect([code, stderr]).toEqual([69, expect.stringContaining('sallyport start')]);
  });
});

const binaries = findPostgres();
describe('with a connection', () => {
  if ('unavailable' in binaries) return needs(binaries.unavailable).test('the catalog is asked', () => {});
  let server: PostgresServer;
  beforeAll(async () => {
    server = await lendPostgres();
    await server.psql(`create table t(id int); create function writes() returns int volatile language sql as 'insert into t values (1) returning id';
      create function counts() returns bigint stable language sql as 'select count(*) from t';`);
    expect((await home.run(['start'])).code).toBe(0);
    const url = `postgres://${server.superuser}@/postgres?host=${server.socketFolder}&port=${server.port}`;
    expect(await home.run(['connections', 'add', url, '--name', 'Shop'])).toMatchObject({ code: 0 });
  }, 120_000);
  afterAll(() => server?.stop(), 60_000);

  test('the catalog decides about functions, and nothing runs', async () => {
    const statements = ['select writes()', 'select counts()', 'select lower(1::text)', 'select 1'];
    const given = { stdin: lines(statements) };
    const classes = (stdout: string) =>
      stdout
        .trimEnd()
        .split('\n')
        .map(line => JSON.parse(line).class);
    const byText = await home.run(['classify', 'postgres', '--json'], given);
    expect(classes(byText.stdout)).toEqual(['read', 'read', 'read', 'read']);
    const byCatalog = await home.run(['classify', 'postgres', '--json', '--connection', 'shop'], given);
    expect(classes(byCatalog.stdout)).toEqual(['write', 'read', 'read', 'read']);
    expect(await server.psql('select count(*) from t')).toBe('0');
  });

  test('the engine must be the one of the connection, and the connection must exist', async () => {
    const wrong = await home.run(['classify', 'mysql', '--connection', 'Shop'], { stdin: 'select 1' });
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('classify postgres')]);
    const unknown = await home.run(['classify', 'postgres', '--connection', 'Shoe'], { stdin: 'select 1' });
    expect(unknown).toMatchObject({ code: 1, stdout: '' });
  });
});
