/**
 * A tunnel is part of a connection's place: changing it changes the place. Two routes to one server
 * are one place.
 */

import { expect, test } from '@jest/globals';
import type { Connection } from '../../../daemon/access/connection.ts';
import { connectionIncrease } from '../../../daemon/access/privilege-increases/connection-increase.ts';
import { noSecrets } from '../../../daemon/access/privilege-increases/credentials-increase.ts';
import { isSamePlace } from '../../../daemon/access/privilege-increases/same-place.ts';
import { standingOfConnection } from '../../../daemon/access/standing/standing.ts';
import type { SshTunnelView } from '../../../shared/control-commands.ts';
import { connectionWith } from '../principals.ts';

const through = (destination: string, more: Partial<SshTunnelView> = {}): SshTunnelView => ({
  kind: 'ssh',
  jumps: [],
  keyFile: null,
  destination,
  ...more,
});
const at = (host: string, tunnel?: SshTunnelView): Connection =>
  connectionWith({
    engine: 'postgres',
    filePath: null,
    host,
    port: 5432,
    user: 'app',
    ...(tunnel && { tunnel }),
  });
const noFiles = () => ({ realPath: '', inode: null });
const now = Date.parse('2026-11-27T12:00:00Z');

test.each<readonly [string, Connection, Connection, RegExp]>([
  ['a first tunnel', at('db'), at('db', through('bastion')), /to the tunnel "ssh bastion"$/],
  ['none any more', at('db', through('bastion')), at('db'), /to no tunnel, which was "ssh bastion"$/],
  ['another bastion', at('db', through('a')), at('db', through('b')), /to the tunnel "ssh b" instead of "ssh a"$/],
  ['another user there', at('db', through('a')), at('db', through('root@a')), /"ssh root@a" instead of "ssh a"$/],
  ['another hop', at('db', through('a')), at('db', through('a', { jumps: ['evil'] })), /"ssh a through evil"/],
  ['another key', at('db', through('a')), at('db', through('a', { keyFile: '/k' })), /"ssh a, key \/k"/],
])('%s is a privilege increase', (_, former, next, phrase) => {
  const increase = connectionIncrease(former, next, now);
  expect(increase?.phrase).toMatch(phrase);
  expect(increase?.facts.map(({ label }) => label)).toContain('Tunnel');
});

test.each(['sshPassphrase', 'sshPassword'] as const)('another %s is a privilege increase', kind => {
  const one = at('db', through('bastion'));
  expect(connectionIncrease(one, one, now)).toBeNull();
  expect(connectionIncrease(one, one, now, { ...noSecrets, [kind]: true })?.phrase).toMatch(/sets the .*SSH/);
});

test.each<readonly [string, boolean, Connection, Connection]>([
  ['a server reached directly and through a tunnel', true, at('db'), at('db', through('bastion'))],
  [
    'the end of a tunnel, by its own loopback and by its name',
    true,
    at('bastion'),
    at('localhost', through('me@bastion:2222')),
  ],
  ['this machine and the loopback of a bastion', false, at('127.0.0.1'), at('127.0.0.1', through('bastion'))],
  ['the loopbacks of two bastions', false, at('localhost', through('a')), at('localhost', through('b'))],
  ['a tunnel to this machine itself', true, at('localhost'), at('127.0.0.1', through('localhost'))],
])('%s', (_, isSame, a, b) => {
  expect(isSamePlace(a, b, noFiles)).toBe(isSame);
  expect(isSamePlace(b, a, noFiles)).toBe(isSame);
});

test.each([
  ['ssh', through('bastion'), 'ssh bastion'],
  ['another command', { kind: 'command', command: 'old {port}' } as const, 'old {port}'],
  ['none', undefined, '(none)'],
])('the question about a tunnel command shows what it replaces: %s', (_, former, shown) => {
  const next = { ...at('db'), tunnel: { kind: 'command', command: 'new {port}' } as const };
  const { tunnel: __, ...direct } = at('db');
  const increase = connectionIncrease(former === undefined ? direct : { ...direct, tunnel: former }, next, 0);
  const facts = JSON.stringify(increase?.facts);
  expect(facts).toContain(JSON.stringify(shown));
  expect(facts).toContain('"new {port}"');
});

test('its state in the log differs with another tunnel, and equals the former one without', () => {
  const states = [at('db'), at('db', through('a')), at('db', through('b'))].map(
    each => standingOfConnection(each).digest,
  );
  expect(new Set(states).size).toBe(3);
});
