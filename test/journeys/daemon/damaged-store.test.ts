/**
 * Garbage rows in the store and in secrets.json: the daemon starts, names them, and the intact ones
 * work.
 */

import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, renameSync, rmdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SQLInputValue } from 'node:sqlite';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { noteText } from '../../../shared/note.ts';
import { bin, RealHome } from '../../bridge/real-home.ts';
import { modern, send } from '../../clients/http/wire.ts';
import { executeOn, SqliteFile } from '../../sqlite-file.ts';
import { until } from '../../waiting/until.ts';

let home: RealHome;
let url: string;
let whole: Minted;
let lost: Minted;
let ids: { readonly Shop: string; readonly Lost: string };
beforeAll(async () => {
  home = new RealHome();
  await home.here('start');
  url = `http://127.0.0.1:${await home.moveToOwnPort()}/mcp`;
  for (const name of ['Shop', 'Lost'])
    await home.here('connections', 'add', 'postgres://u@127.0.0.1:1/x', '--name', name);
  [whole, lost] = [await mint('whole'), await mint('lost')];
  const listed: { name: string; id: string }[] = JSON.parse(await home.here('connections', 'list', '--json'));
  const idOf = (name: string): string => listed.find(connection => connection.name === name)?.id ?? '';
  ids = { Shop: idOf('Shop'), Lost: idOf('Lost') };
}, 60_000);
afterAll(() => home.clean());
beforeEach(() => home.end('SIGKILL'));

interface Minted {
  readonly id: string;
  readonly token: string;
}
const mint = async (name: string): Promise<Minted> =>
  JSON.parse(await home.here('tokens', 'mint', '--name', name, '--json'));

const inHome = (name: string): string => join(home.home, name);
function inStore(sql: string, ...values: SQLInputValue[]): void {
  const store = new SqliteFile(inHome('sallyport.db'));
  store.prepare(sql).run(...values);
  store.close();
}
function inSecrets(edit: (secrets: Record<string, string>) => void): void {
  const content = JSON.parse(readFileSync(inHome('secrets.json'), 'utf8'));
  edit(content.secrets);
  writeFileSync(inHome('secrets.json'), JSON.stringify(content));
}
const notes = async (): Promise<string> => {
  await home.here('start');
  return JSON.parse(await home.here('status', '--json'))
    .notes.map(noteText)
    .join('\n');
};
const listed = async ({ token }: Minted): Promise<string> => {
  const answer = await send(url, modern(token, 'tools/call', { name: 'list_connections', arguments: {} }));
  return `${answer.status} ${answer.json.error?.code ?? ''} ${JSON.stringify(answer.json.result?.structuredContent)}`;
};

describe('a connection', () => {
  test.each([
    ['no JSON', '{'],
    ['nothing', ''],
    ['null', 'null'],
    ['a list', '[1]'],
    ['a policy that nobody knows', '{"aiPolicy":"sometimes"}'],
    ['bytes', Buffer.from([0, 255])],
  ])('whose record is %s is unreachable and named, and the others aren’t', async (_, record) => {
    inStore('update connections set record = ? where id = ?', record, ids.Lost);
    const said = await notes();
    expect(said).toContain(
      `In ${inHome('sallyport.db')} the row ${ids.Lost} (Lost) of connections can't be read, so nobody reaches that connection.`,
    );
    expect(said).toContain(`sallyport connections remove ${ids.Lost}`);
    expect(await listed(whole)).toContain('Shop');
    expect(await listed(whole)).not.toContain('Lost');
  });

  test.each(['level', 'writeUntil'])('whose %s is garbage is unreachable', async field => {
    const record = `json_set(record, '$.externalClients.${field}', 'x')`;
    inStore(
      `update connections set record = (select ${record} from connections where id = '${ids.Shop}') where id = ?`,
      ids.Lost,
    );
    expect(await notes()).toContain(`${ids.Lost} (Lost) of connections can't be read`);
    expect(await listed(whole)).not.toContain('Lost');
  });

  test('that is damaged keeps its password for a later backup and is named until it is removed by its id; then its password stays some days', async () => {
    inSecrets(secrets => {
      secrets[`password/${ids.Lost}`] = 'pw';
    });
    await notes();
    expect(readFileSync(inHome('secrets.json'), 'utf8')).toContain(`password/${ids.Lost}`);
    await home.here('connections', 'remove', ids.Lost);
    await home.end('SIGKILL');
    expect(await notes()).not.toContain('connections');
    expect(readFileSync(inHome('secrets.json'), 'utf8')).toContain(`password/${ids.Lost}`);
  });
});

describe('a token', () => {
  test.each([
    ['no JSON', '{'],
    ['another shape', '{"id":"x"}'],
    ['a scope that nobody knows', null],
  ])('whose record is %s is refused and named, and the others aren’t', async (_, record) => {
    inSecrets(secrets => {
      const before = secrets[`token/${lost.id}`] ?? '';
      secrets[`token/${lost.id}`] = record ?? before.replace('"readOnly"', '"everything"');
    });
    expect(await notes()).toContain(
      `In ${inHome('secrets.json')} the row "token/${lost.id}" of secrets can't be read, so that token is refused`,
    );
    expect(await listed(lost)).toMatch(/^401 -33009/);
    expect(await listed(whole)).toMatch(/^200 .*Shop/);
    inSecrets(secrets => {
      secrets[`token/${lost.id}`] = '{"scope":"readOnly"}';
    });
  });
});

test('a secret that isn’t text damages only its own row', async () => {
  const before = readFileSync(inHome('secrets.json'), 'utf8');
  const content = JSON.parse(before);
  content.secrets['shell/secret'] = 7;
  content.secrets[`token/${lost.id}`] = { id: lost.id };
  writeFileSync(inHome('secrets.json'), JSON.stringify(content));
  expect(await notes()).toContain(`"token/${lost.id}" of secrets can't be read`);
  expect(await listed(whole)).toMatch(/^200/);
  expect(JSON.parse(readFileSync(inHome('secrets.json'), 'utf8')).secrets['shell/secret']).toMatch(/^.{20,}$/);
});

test('nobody knows a damaged owner passphrase', async () => {
  let before = '';
  inSecrets(secrets => {
    before = secrets['passphrase/owner'] ?? '';
    secrets['passphrase/owner'] = 'garbage';
  });
  const said = await notes();
  expect(said).toContain(
    `In ${inHome('secrets.json')} the row "passphrase/owner" of secrets can't be read, so nothing that needs the owner passphrase can be confirmed.`,
  );
  expect(await listed(whole)).toMatch(/^200/);
  await expect(home.here('tokens', 'mint', '--name', 'more', '--scope', 'read-write')).rejects.toThrow(/passphrase/);
  await home.end('SIGKILL');
  inSecrets(secrets => {
    secrets['passphrase/owner'] = before;
  });
});

test('too few file descriptors are named, at the start and later', async () => {
  for (const count of [24, 30, 48]) {
    const daemon = spawn('/bin/sh', ['-c', `ulimit -n ${count}; exec ${join(bin, 'sallyportd')}`], {
      env: home.environment,
    });
    let said = '';
    daemon.stderr.on('data', chunk => {
      said += chunk;
    });
    await new Promise(resolve => daemon.once('close', resolve));
    expect(said).toBe(
      'sallyportd could not start: there are too few file descriptors (`ulimit -n`); allow 64 or more, then start Sallyport again.\n',
    );
  }
});

test('64 file descriptors are enough to classify a statement', async () => {
  const daemon = spawn('/bin/sh', ['-c', `ulimit -n 64; exec ${join(bin, 'sallyportd')}`], { env: home.environment });
  try {
    await until(() => home.handshake()?.pid === daemon.pid, 'the daemon is up');
    const database = join(home.folder, 'judged.db');
    executeOn(database, 'create table t (a)');
    await home.here('connections', 'add', `sqlite:${database}`, '--name', 'Judged');
    const asked = { name: 'execute_query', arguments: { connection: 'Judged', sql: 'select count(*) from t' } };
    const { json } = await send(url, modern(whole.token, 'tools/call', asked));
    expect(json.result).toMatchObject({ structuredContent: { rows: [[0]] } });
  } finally {
    daemon.kill('SIGKILL');
  }
});

test('a lock file of garbage is reported as that', async () => {
  writeFileSync(inHome('daemon.lock'), 'garbage of some length'.repeat(100));
  await expect(home.here('start')).rejects.toThrow(/daemon\.lock is no lock of Sallyport's; remove it, then start/);
  rmSync(inHome('daemon.lock'));
});

test('a folder in place of the lock file is reported as that', async () => {
  rmSync(inHome('daemon.lock'), { force: true });
  mkdirSync(inHome('daemon.lock'));
  await expect(home.here('start')).rejects.toThrow(/daemon\.lock is no lock of Sallyport's; remove it, then start/);
  rmdirSync(inHome('daemon.lock'));
});

test('a reserve that is damaged pauses, and says why', async () => {
  writeFileSync(inHome('reserve'), 'garbage', { mode: 0o600 });
  await home.here('start');
  const { notes } = JSON.parse(await home.here('status', '--json'));
  const sentence = expect.stringMatching(/^Sallyport started paused: .*`reserve`.*damaged/);
  expect(notes).toContainEqual(expect.objectContaining({ code: 'started_paused', sentence }));
  const { json } = await send(url, modern(whole.token, 'tools/call', { name: 'list_connections', arguments: {} }));
  expect(JSON.stringify(json)).toContain("isn't as it was left");
  await home.here('resume');
});

test('a store that another program locks meanwhile is reported as that', async () => {
  await home.here('start');
  const other = new SqliteFile(inHome('sallyport.db'));
  other.exec('begin immediate');
  try {
    await expect(home.here('settings', 'set', 'results.maxRows', '77')).rejects.toThrow(
      /Another program holds a lock on .*; end it, then/,
    );
  } finally {
    other.close();
  }
  await home.here('settings', 'set', 'results.maxRows', '1000');
}, 60_000);

describe('settings', () => {
  test.each([
    ['results.maxRows', '"many"', 10_000],
    ['port.fallback', 'perhaps', false],
    ['writes.maxRows', '0', 1],
    ['approval.rememberHours', '-1', 0],
    ['history.days', '"ten years"', 3_650],
    ['requests.notify', '"perhaps"', true],
    ['log.level', 'null', 'info'],
  ])('%s that is %s is %p', async (key, value, expected) => {
    inStore('insert or replace into settings values (?, ?)', key, value);
    expect(await notes()).toContain(
      `In ${inHome('sallyport.db')} the row ${key} of settings can't be read, so ${key} is ${expected}. Run \`sallyport settings set ${key} VALUE\`.`,
    );
    expect(await listed(whole)).toMatch(/^200/);
    inStore('delete from settings where key = ?', key);
  });

  test('enabled that is garbage serves nobody until it is set', async () => {
    inStore("insert or replace into settings values ('enabled', 'garbage')");
    expect(await notes()).toContain('the row enabled of settings');
    await expect(listed(whole)).rejects.toThrow('ECONNREFUSED');
    await home.here('settings', 'set', 'enabled', 'true');
    expect(await listed(whole)).toMatch(/^200/);
  });

  test('unknown rows, and invalid times, block nothing', async () => {
    inStore("insert or replace into settings values ('paused.else', x'00ff')");
    inStore("insert or replace into settings values ('passphrase.tries', '[')");
    inStore("insert or replace into token_uses values (?, 'yesterday')", whole.id);
    inStore("insert or replace into bridge_tokens (hash, issued_at) values ('', 'never')");
    expect(await notes()).not.toContain("can't be read, so enabled");
    expect(await home.here('tokens', 'list')).toContain('whole');
    expect(await listed(whole)).toMatch(/^200/);
  });
});

test('a token whose connections are gone says so', async () => {
  await notes();
  for (const name of ['One', 'Two'])
    await home.here('connections', 'add', 'postgres://u@127.0.0.1:1/x', '--name', name);
  await home.here('tokens', 'mint', '--name', 'named', '--connections', 'One,Two');
  const row = async (): Promise<string> =>
    (await home.here('tokens', 'list')).split('\n').find(line => line.includes('named')) ?? '';
  expect(await row()).toMatch(/read-only +2 +until/);
  await home.here('connections', 'remove', 'One');
  expect(await row()).toMatch(/read-only +1 \(1 removed\) +until/);
  await home.here('connections', 'remove', 'Two');
  expect(await row()).toMatch(/read-only +none \(2 removed\) +until/);
});

/** @returns the daemon's output and its exit code. */
async function startDaemon(): Promise<string> {
  const daemon = spawn(join(bin, 'sallyportd'), { env: home.environment });
  let said = '';
  daemon.stderr.on('data', chunk => {
    said += chunk;
  });
  const code = await new Promise(resolve => daemon.once('close', resolve));
  return `${code} ${said}`;
}

describe('the file', () => {
  test('that others can write, or that is a link, is refused with what to do', async () => {
    const [store, moved] = [inHome('sallyport.db'), inHome('moved.db')];
    chmodSync(store, 0o644);
    expect(await startDaemon()).toContain(
      `1 sallyportd could not start: The store can't be trusted: ${store} has mode 644, not 600`,
    );
    chmodSync(store, 0o600);
    renameSync(store, moved);
    symlinkSync(moved, store);
    expect(await startDaemon()).toContain(`${store} is not a regular file`);
    renameSync(moved, store);
  });

  test('that another program has locked is named', async () => {
    const other = new SqliteFile(inHome('sallyport.db'));
    other.exec('begin exclusive');
    expect(await startDaemon()).toContain(`Another program holds a lock on ${inHome('sallyport.db')}; end it`);
    other.close();
  });

  test('without a table is named', async () => {
    inStore('alter table token_uses rename to elsewhere');
    expect(await startDaemon()).toMatch(
      /sallyport\.db can't be used \(.*no such table: token_uses\); restore it from a backup/,
    );
    inStore('alter table elsewhere rename to token_uses');
  });
});
