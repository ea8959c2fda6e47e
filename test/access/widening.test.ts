/** What widens and what doesn't, case by case, in both directions. */

import { describe, expect, test } from '@jest/globals';
import type { Connection } from '../../daemon/access/connection.ts';
import { defaultSettings, type SettingKey, type Settings, settingKeys } from '../../daemon/access/settings.ts';
import { connectionWidening, settingWidening, wideningMode } from '../../daemon/access/widening.ts';

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
  via: null,
  password: { kind: 'stored' },
  statementTimeoutSeconds: null,
  rowLimit: null,
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
  const widens: [string, Partial<Connection>, Partial<Connection>][] = [
    ['a higher level', {}, writable(null)],
    ['a higher level for a time', {}, writable('2026-11-20T13:00:00.000Z')],
    ['a longer time', writable('2026-11-20T13:00:00.000Z'), writable('2026-11-20T14:00:00.000Z')],
    ['no end to the time', writable('2026-11-20T13:00:00.000Z'), writable(null)],
    [
      'another time after the first has passed',
      writable('2026-11-20T11:00:00.000Z'),
      writable('2026-11-20T13:00:00.000Z'),
    ],
    ['no longer blocked', level('blocked'), level('readOnly')],
    ['a higher policy', {}, { aiPolicy: 'always' }],
    ['a policy above never', { aiPolicy: 'never' }, { aiPolicy: 'askEachTime' }],
    ['a password command', {}, { password: { kind: 'command', command: 'pass x' } }],
    [
      'another command',
      { password: { kind: 'command', command: 'a' } },
      { password: { kind: 'command', command: 'b' } },
    ],
    ['all databases', {}, { databases: 'all' }],
    ['all databases on MySQL', { engine: 'mysql' }, { engine: 'mysql', databases: 'all' }],
    ['another host', {}, { host: 'other.example' }],
    ['another port', {}, { port: 5433 }],
    ['a socket', {}, { host: null, port: null, socketPath: '/run/postgresql' }],
    ['another user', {}, { user: 'postgres' }],
    ['another database', {}, { database: 'payroll' }],
    ['another host without a password', { password: { kind: 'none' } }, { password: { kind: 'none' }, host: 'other' }],
    ['weaker TLS', {}, { tls: { mode: 'prefer', caFile: null } }],
    ['no TLS', {}, { tls: { mode: 'disable', caFile: null } }],
    ['another name', {}, { name: 'Staging' }],
    ['another CA', {}, { tls: { mode: 'verify-full', caFile: '/tmp/ca.pem' } }],
  ];
  test.each(widens)('%s widens', (_, former, next) => {
    expect(connectionWidening({ ...base, ...former }, { ...base, ...next }, now)).toHaveLength(1);
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
    ['no password', {}, { password: { kind: 'none' } }],
    ['a stored password for a command', { password: { kind: 'command', command: 'a' } }, {}],
    ['a colour, tags', {}, { colour: 'red', tags: ['x'], group: 'g' }],
    ['less time and fewer rows', {}, { statementTimeoutSeconds: 1, rowLimit: 1 }],
  ];
  test.each(free)('%s does not', (_, former, next) => {
    expect(connectionWidening({ ...base, ...former }, { ...base, ...next }, now)).toEqual([]);
  });

  test('every widening of one request is named', () => {
    const [first, ...others] = connectionWidening(base, { ...base, ...writable(null), host: 'x', user: 'y' }, now);
    expect(first).toBe('lets clients write to "Shop"');
    expect(others).toEqual(['points "Shop" to another host and user']);
  });
});

describe('a new connection', () => {
  test('as the defaults have it widens nothing', () => {
    expect(connectionWidening(null, { ...base, aiPolicy: 'always' }, now)).toEqual([]);
    expect(connectionWidening(null, { ...base, engine: 'mysql', databases: 'all' }, now)).toEqual([]);
  });
  test.each([
    [writable(null)],
    [writable('2026-11-20T13:00:00.000Z')],
    [{ databases: 'all' as const }],
    [{ password: { kind: 'command' as const, command: 'pass x' } }],
  ])('%j widens', next => {
    expect(connectionWidening(null, { ...base, ...next }, now)).toHaveLength(1);
  });
});

describe('settings', () => {
  const widening: [SettingKey, Partial<Settings>, Partial<Settings>][] = [
    ['port', {}, { port: 27_433 }],
    ['port.fallback', { 'port.fallback': false }, { 'port.fallback': true }],
    ['enabled', { enabled: false }, { enabled: true }],
    ['keychain', { keychain: 'required' }, { keychain: 'auto' }],
    ['widening', { widening: 'ask' }, { widening: 'free' }],
    ['widening', { widening: 'ask' }, { widening: 'auto' }],
    ['widening', { widening: 'auto' }, { widening: 'free' }],
    ['history', {}, { history: 'off' }],
    ['history.days', {}, { 'history.days': 1 }],
    ['limits.requestsPerMinute', {}, { 'limits.requestsPerMinute': 0 }],
    ['limits.requestsPerMinute', {}, { 'limits.requestsPerMinute': 1_000 }],
    ['limits.concurrentRequests', {}, { 'limits.concurrentRequests': 0 }],
    ['approval.rememberHours', {}, { 'approval.rememberHours': 9 }],
    ['approval.rememberHours', { 'approval.rememberHours': 0 }, { 'approval.rememberHours': 1 }],
  ];
  test.each(widening)('%s from %j to %j widens', (key, former, next) => {
    const from = { ...defaultSettings, ...former };
    expect(settingWidening(key, from, { ...from, ...next }, true)).toBe(`sets ${key} to ${String(next[key])}`);
  });

  const free: [SettingKey, Partial<Settings>, Partial<Settings>][] = [
    ['port.fallback', {}, { 'port.fallback': false }],
    ['enabled', {}, { enabled: false }],
    ['keychain', {}, { keychain: 'required' }],
    ['widening', { widening: 'free' }, { widening: 'ask' }],
    ['widening', { widening: 'auto' }, { widening: 'ask' }],
    ['history', { history: 'off' }, { history: 'on' }],
    ['limits.requestsPerMinute', {}, { 'limits.requestsPerMinute': 10 }],
    ['limits.requestsPerMinute', { 'limits.requestsPerMinute': 0 }, { 'limits.requestsPerMinute': 10 }],
    ['approval.rememberHours', {}, { 'approval.rememberHours': 0 }],
    ['log.level', {}, { 'log.level': 'error' }],
  ];
  test.each(free)('%s from %j to %j does not', (key, former, next) => {
    const from = { ...defaultSettings, ...former };
    expect(settingWidening(key, from, { ...from, ...next }, true)).toBeNull();
  });

  test('none widens by staying as it is', () => {
    for (const key of settingKeys) expect(settingWidening(key, defaultSettings, defaultSettings, true)).toBeNull();
  });

  test('auto asks once there is a passphrase', () => {
    expect(wideningMode('auto', false)).toBe('free');
    expect(wideningMode('auto', true)).toBe('ask');
    expect(wideningMode('ask', false)).toBe('ask');
    expect(wideningMode('free', true)).toBe('free');
  });
});
