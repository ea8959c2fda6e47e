/** What widens and what doesn't, case by case, in both directions. */

import { describe, expect, test } from '@jest/globals';
import type { Connection } from '../../../daemon/access/connection.ts';
import { settingWidening } from '../../../daemon/access/privilege-increases/widening.ts';
import { connectionWidening } from '../../../daemon/access/privilege-increases/widening-connection.ts';
import { noSecrets } from '../../../daemon/access/privilege-increases/widening-credentials.ts';
import { instantWords } from '../../../daemon/access/privilege-increases/widening-words.ts';
import {
  defaultSettings,
  type SettingKey,
  type Settings,
  settingKeys,
  settingSpecs,
} from '../../../daemon/access/settings/settings.ts';

const now = Date.parse('2026-11-20T12:00:00.000Z');
const base: Connection = {
  id: '6f1c1d2e-0000-4000-8000-000000000001',
  name: 'Shop',
  revision: 1,
  engine: 'postgres',
  host: 'db.example',
  port: 5432,
  socketPath: null,
  filePath: null,
  database: 'shop',
  databases: 'own',
  user: 'anna',
  tls: { mode: 'require', caFile: null },
  password: { kind: 'stored' },
  timeZone: null,
  statementTimeoutSeconds: null,
  rowLimit: null,
  writeRowLimit: null,
  colour: null,
  group: null,
  tags: [],
  externalClients: { level: 'readOnly', writeUntil: null },
  aiPolicy: 'askEachTime',
  createdAt: '2026-11-20T12:00:00.000Z',
  updatedAt: '2026-11-20T12:00:00.000Z',
};
const writable = (writeUntil: string | null): Partial<Connection> => ({
  externalClients: { level: 'readWrite', writeUntil },
});
const level = (wanted: 'blocked' | 'readOnly'): Partial<Connection> => ({
  externalClients: { level: wanted, writeUntil: null },
});

describe('a saved connection', () => {
  const isOpen = '2026-11-20T13:00:00.000Z';
  /** What it is called, from what, to what, how the phrase goes on, and the fact that has it whole: label, value, former. */
  type Case = [string, Partial<Connection>, Partial<Connection>, string, [string, string, string | null]];
  const withEnd = `read and write, until ${instantWords(isOpen)}`;
  const later = '2026-11-20T14:00:00.000Z';
  const longHost = `db.example.${'a'.repeat(200)}.evil.example`;
  const widens: Case[] = [
    [
      'a higher level',
      {},
      writable(null),
      'lets clients write to "Shop"',
      ['Clients may', 'read and write, until it is taken back', 'read'],
    ],
    [
      'a higher level for a time',
      {},
      writable(isOpen),
      `lets clients write to "Shop" until ${instantWords(isOpen)}`,
      ['Clients may', withEnd, 'read'],
    ],
    [
      ...(['a longer time', writable(isOpen), writable(later)] as const),
      `lets clients write to "Shop" until ${instantWords(later)}`,
      ['Clients may', `read and write, until ${instantWords(later)}`, withEnd],
    ],
    [
      ...(['no end to the time', writable(isOpen), writable(null), 'lets clients write to "Shop"'] as const),
      ['Clients may', 'read and write, until it is taken back', withEnd],
    ],
    [
      ...(['another time after the first has passed', writable('2026-11-20T11:00:00.000Z'), writable(isOpen)] as const),
      `lets clients write to "Shop" until ${instantWords(isOpen)}`,
      ['Clients may', withEnd, 'read'],
    ],
    [
      'no longer blocked',
      level('blocked'),
      level('readOnly'),
      'lets clients read "Shop"',
      ['Clients may', 'read', 'nothing'],
    ],
    [
      ...(['a higher policy', {}, { aiPolicy: 'always' }] as const),
      'sets the AI policy of "Shop" from ask each time to always',
      ['AI policy', 'always', 'ask each time'],
    ],
    [
      ...(['a policy above never', { aiPolicy: 'never' }, { aiPolicy: 'askEachTime' }] as const),
      'sets the AI policy of "Shop" from never to ask each time',
      ['AI policy', 'ask each time', 'never'],
    ],
    [
      ...(['a password command', {}, { password: { kind: 'command', command: 'pass "x" | tee /tmp/y' } }] as const),
      'runs a command on this computer, as you, for the password of "Shop"',
      ['Password command', 'pass "x" | tee /tmp/y', 'a stored password, no command'],
    ],
    [
      'another command',
      { password: { kind: 'command', command: 'a' } },
      { password: { kind: 'command', command: 'a\nb' } },
      'runs another command on this computer, as you, for the password of "Shop"',
      ['Password command', 'a\nb', 'a'],
    ],
    [
      ...(['no password any more', {}, { password: { kind: 'none' } }, 'forgets the password of "Shop"'] as const),
      ['Password', 'none', 'a stored password, no command'],
    ],
    [
      ...(['no command any more', { password: { kind: 'command', command: 'a' } }] as const),
      ...([{ password: { kind: 'none' } }, 'forgets the command that prints the password of "Shop"'] as const),
      ['Password', 'none', 'a'],
    ],
    [
      ...(['all databases', {}, { databases: 'all' }, 'opens all databases of "Shop" to an argument'] as const),
      ['Databases', 'every one on its server', 'only its own'],
    ],
    [
      ...(['all databases on MySQL', { engine: 'mysql' }, { engine: 'mysql', databases: 'all' }] as const),
      'opens all databases of "Shop" to an argument',
      ['Databases', 'every one on its server', 'only its own'],
    ],
    [
      ...(['another host', {}, { host: 'other.example' }] as const),
      'points "Shop" to the host "other.example" instead of "db.example"',
      ['Host', 'other.example', 'db.example'],
    ],
    [
      ...(['one more host', {}, { host: 'db.example,evil.example:5433' }] as const),
      'points "Shop" to the host "db.example,evil.example:5433" instead of "db.example"',
      ['Host', 'db.example,evil.example:5433', 'db.example'],
    ],
    [
      ...(['another kind of server', {}, { targetServers: 'primary' }] as const),
      'points "Shop" to the kind of server "primary"',
      ['Which servers', 'primary', '(none)'],
    ],
    [
      ...(['another host, of which the end is what counts', {}, { host: longHost }] as const),
      `points "Shop" to the host "db.example.aaaaaaaaaaaaaaaaaaaaa … 160 characters more … aaaaaaaaaaaaaaaaaaa.evil.example" instead of "db.example"`,
      ['Host', longHost, 'db.example'],
    ],
    [
      'another port',
      {},
      { port: 5433 },
      'points "Shop" to the port "5433" instead of "5432"',
      ['Port', '5433', '5432'],
    ],
    [
      ...(['a socket', { port: null }, { host: null, port: null, socketPath: '/run/x' }] as const),
      'points "Shop" to no host, which was "db.example" and to the socket "/run/x"',
      ['Socket', '/run/x', '(none)'],
    ],
    [
      ...(['a file', { engine: 'sqlite', filePath: '/a.db' }, { engine: 'sqlite', filePath: '/b.db' }] as const),
      'points "Shop" to the file "/b.db" instead of "/a.db"',
      ['File', '/b.db', '/a.db'],
    ],
    [
      ...(['another user', {}, { user: 'postgres' }] as const),
      'points "Shop" to the user "postgres" instead of "anna"',
      ['User', 'postgres', 'anna'],
    ],
    [
      ...(['another database', {}, { database: 'payroll' }] as const),
      'points "Shop" to the database "payroll" instead of "shop"',
      ['Database', 'payroll', 'shop'],
    ],
    [
      ...(['another host without a password', { password: { kind: 'none' } }] as const),
      { password: { kind: 'none' }, host: 'other' },
      'points "Shop" to the host "other" instead of "db.example"',
      ['Host', 'other', 'db.example'],
    ],
    [
      ...(['weaker TLS', {}, { tls: { mode: 'prefer', caFile: null } }] as const),
      'weakens the TLS of "Shop" from require to prefer',
      ['TLS', 'prefer', 'require'],
    ],
    [
      ...(['no TLS', {}, { tls: { mode: 'disable', caFile: null } }] as const),
      'weakens the TLS of "Shop" from require to disable',
      ['TLS', 'disable', 'require'],
    ],
    ['another name', {}, { name: 'Staging' }, 'renames "Shop" to "Staging"', ['New name', 'Staging', null]],
    [
      ...(['another CA', {}, { tls: { mode: 'verify-full', caFile: '/tmp/ca.pem' } }] as const),
      'lets other certificates vouch for "Shop": those of "/tmp/ca.pem"',
      ['Certificates', '/tmp/ca.pem', '(those this computer trusts)'],
    ],
  ];
  test.each(widens)('%s widens, and says from what to what', (_, former, next, phrase, [label, value, before]) => {
    const widening = connectionWidening({ ...base, ...former }, { ...base, ...next }, now);
    expect(widening?.phrase).toBe(phrase);
    expect(widening?.facts[0]).toMatchObject({ label: 'Connection', value: 'Shop' });
    expect(widening?.facts).toContainEqual(expect.objectContaining({ label, value, former: before }));
    const labels = widening?.facts.map(each => each.label) ?? [];
    expect(new Set(labels).size).toBe(labels.length);
  });

  test('whatever is widened, where the connection goes and which password goes there is told', () => {
    const told = (next: Partial<Connection>, isGiven = false) =>
      connectionWidening(base, { ...base, ...next }, now, { ...noSecrets, password: isGiven })?.facts.map(
        ({ label, value }) => `${label}: ${value}`,
      );
    expect(told(writable(null))).toEqual(
      expect.arrayContaining(['Host: db.example', 'Port: 5432', 'Database: shop', 'User: anna', 'TLS: require']),
    );
    expect(told({ host: 'x' })).toContain('Password: the one that is stored, which is sent there');
    expect(told({ host: 'x' }, true)).toContain('Password: the one that is given with this');
    expect(told({ password: { kind: 'command', command: 'a' } })).toContain(
      'Password: what its command prints, which is sent there',
    );
  });

  test.each<[string, Partial<Connection>, string, string]>([
    ['another', {}, 'replaces the password of "Shop"', 'a stored password, no command'],
    ['a first', { password: { kind: 'none' } }, 'sets a password for "Shop", which had none', 'no password'],
    [
      'one for a command',
      { password: { kind: 'command', command: 'a' } },
      'stores a password for "Shop" in place of the command that printed it',
      'a',
    ],
  ])('%s stored password widens', (_, former, phrase, before) => {
    const widening = connectionWidening({ ...base, ...former }, base, now, { ...noSecrets, password: true });
    expect(widening?.phrase).toBe(phrase);
    expect(widening?.facts).toContainEqual(
      expect.objectContaining({ label: 'Password', value: 'the one that is given with this', former: before }),
    );
  });

  const tunnel = { kind: 'command', command: 'kubectl port-forward svc/db {port}:5432' } as const;

  test.each<[string, Partial<Connection> | null, string, string | null]>([
    ['of a new connection', null, 'a command', null],
    ['of one that had no tunnel', {}, 'a command', null],
    ['of one that had another', { tunnel: { ...tunnel, command: 'ssh x' } }, 'another command', 'ssh x'],
  ])('a tunnel command widens, and is shown whole: %s', (_, former, which, before) => {
    const widening = connectionWidening(former && { ...base, ...former }, { ...base, tunnel }, now);
    expect(widening?.phrase).toContain(`runs ${which} on this computer, as you, for the tunnel of "Shop"`);
    expect(widening?.facts).toContainEqual({
      label: 'Tunnel command',
      value: tunnel.command,
      former: before,
      form: 'lines',
    });
    expect(widening?.facts).toContainEqual(
      expect.objectContaining({ label: 'Tunnel command length', value: '39 characters, 1 line' }),
    );
  });

  test('the same tunnel command doesn’t widen, and another place beside it shows it no second time', () => {
    const has = { ...base, tunnel };
    expect(connectionWidening(has, { ...has, colour: 'red' }, now)).toBeNull();
    expect(connectionWidening(has, { ...has, host: 'x' }, now)?.phrase).toBe(
      'points "Shop" to the host "x" instead of "db.example"',
    );
  });

  test('another passphrase of the client key widens', () => {
    const widening = connectionWidening(base, base, now, { ...noSecrets, keyPassphrase: true });
    expect(widening?.phrase).toBe('sets the passphrase of the client key of "Shop"');
  });

  const free: [string, Partial<Connection>, Partial<Connection>][] = [
    ['nothing', {}, {}],
    ['a lower level', writable(null), level('readOnly')],
    ['blocked', {}, level('blocked')],
    ['a shorter time', writable(null), writable('2026-11-20T13:00:00.000Z')],
    ['a time that has passed', {}, writable('2026-11-20T11:00:00.000Z')],
    ['a lower policy', {}, { aiPolicy: 'never' }],
    ['own databases', { databases: 'all' }, {}],
    ['stronger TLS', {}, { tls: { mode: 'verify-full', caFile: null } }],
    ['a colour, tags', {}, { colour: 'red', tags: ['x'], group: 'g' }],
    ['fewer rows changed unasked', { writeRowLimit: 2_000 }, { writeRowLimit: 1_999 }],
    ['the limit of the setting instead of a higher one', { writeRowLimit: 2_000 }, {}],
    ['less time and fewer rows', {}, { statementTimeoutSeconds: 1, rowLimit: 1 }],
  ];
  test.each(free)('%s does not', (_, former, next) => {
    expect(connectionWidening({ ...base, ...former }, { ...base, ...next }, now)).toBeNull();
  });

  test('more rows changed unasked, by a limit of its own or by the setting that takes its place', () => {
    const widening = (former: number | null, next: number | null, byDefault: number) =>
      connectionWidening(
        { ...base, writeRowLimit: former },
        { ...base, writeRowLimit: next },
        now,
        undefined,
        byDefault,
      );
    expect(widening(null, 1_001, 1_000)?.phrase).toBe(
      'lets clients change 1001 rows of a table of "Shop" in an hour, unasked, instead of 1000',
    );
    expect(widening(10, null, 1_000)?.facts).toContainEqual(
      expect.objectContaining({ label: 'Rows changed unasked', value: '1000 of a table in an hour', former: '10' }),
    );
    expect(widening(null, 1_001, 5_000)).toBeNull();
    expect(connectionWidening(null, { ...base, writeRowLimit: 1_001 }, now)).not.toBeNull();
  });

  test('every widening of one request is named', () => {
    const widening = connectionWidening(base, { ...base, ...writable(null), host: 'x', user: 'y' }, now);
    expect(widening?.phrase).toBe(
      'lets clients write to "Shop", and points "Shop" to the host "x" instead of "db.example" and to the user "y" instead of "anna"',
    );
    expect(widening?.facts.slice(0, 4).map(({ label }) => label)).toEqual([
      'Connection',
      'Clients may',
      'Host',
      'User',
    ]);
  });
});

describe('a new connection', () => {
  test('as the defaults have it widens nothing', () => {
    expect(connectionWidening(null, { ...base, aiPolicy: 'always' }, now)).toBeNull();
    expect(connectionWidening(null, { ...base, engine: 'mysql', databases: 'all' }, now)).toBeNull();
  });
  test.each([
    [writable(null)],
    [writable('2026-11-20T13:00:00.000Z')],
    [{ databases: 'all' as const }],
    [{ password: { kind: 'command' as const, command: 'pass x' } }],
  ])('%j widens, and says where', next => {
    const facts = connectionWidening(null, { ...base, ...next }, now)?.facts ?? [];
    expect(facts).toContainEqual({ label: 'Host', value: 'db.example', former: null, form: 'line' });
    expect(facts.every(({ former }) => former === null)).toBe(true);
  });
});

describe('settings', () => {
  const noLimit = '0, which is no limit';
  const widening: [SettingKey, Partial<Settings>, Partial<Settings>][] = [
    ['port', {}, { port: 27_433 }],
    ['port.fallback', { 'port.fallback': false }, { 'port.fallback': true }],
    ['enabled', { enabled: false }, { enabled: true }],
    ['keychain', { keychain: 'required' }, { keychain: 'auto' }],
    ['history', {}, { history: 'off' }],
    ['history.days', {}, { 'history.days': 1 }],
    ['limits.requestsPerMinute', {}, { 'limits.requestsPerMinute': 0 }],
    ['limits.requestsPerMinute', {}, { 'limits.requestsPerMinute': 1_000 }],
    ['limits.concurrentRequests', {}, { 'limits.concurrentRequests': 0 }],
    ['writes.maxRows', {}, { 'writes.maxRows': 1_001 }],
    ['approval.rememberHours', {}, { 'approval.rememberHours': 9 }],
    ['approval.rememberHours', { 'approval.rememberHours': 0 }, { 'approval.rememberHours': 1 }],
  ];
  test.each(widening)('%s from %j to %j widens', (key, former, next) => {
    const from = { ...defaultSettings, ...former };
    const widening = settingWidening(key, from, { ...from, ...next });
    const [before, after] = [from[key], next[key]].map(value =>
      value === 0 && key.startsWith('limits.') ? noLimit : `${value}`,
    );
    expect(widening?.phrase).toBe(`sets ${key} from ${before} to ${after}`);
    expect(widening?.facts).toContainEqual({ label: 'Value', value: after, former: before, form: 'line' });
  });

  const free: [SettingKey, Partial<Settings>, Partial<Settings>][] = [
    ['port.fallback', {}, { 'port.fallback': false }],
    ['enabled', {}, { enabled: false }],
    ['keychain', {}, { keychain: 'required' }],
    ['history', { history: 'off' }, { history: 'on' }],
    ['limits.requestsPerMinute', {}, { 'limits.requestsPerMinute': 10 }],
    ['limits.requestsPerMinute', { 'limits.requestsPerMinute': 0 }, { 'limits.requestsPerMinute': 10 }],
    ['writes.maxRows', {}, { 'writes.maxRows': 999 }],
    ['approval.rememberHours', {}, { 'approval.rememberHours': 0 }],
    ['requests.notify', {}, { 'requests.notify': false }],
    ['log.level', {}, { 'log.level': 'error' }],
  ];
  test.each(free)('%s from %j to %j does not', (key, former, next) => {
    const from = { ...defaultSettings, ...former };
    expect(settingWidening(key, from, { ...from, ...next })).toBeNull();
  });

  test('each that can widen is tried above', () => {
    const { widens: never } = settingSpecs['log.level'];
    const canWiden = settingKeys.filter(key => settingSpecs[key].widens !== never);
    expect([...new Set(widening.map(([key]) => key))].sort()).toEqual(canWiden.sort());
  });

  test('none widens by staying as it is', () => {
    for (const key of settingKeys) expect(settingWidening(key, defaultSettings, defaultSettings)).toBeNull();
  });
});
