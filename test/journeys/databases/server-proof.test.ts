/**
 * The built commands tell how a server proves that it is still the same (spec §6): at its first
 * test, in lists, in `status` and `doctor`; and the daemon's log has who listens at its port.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ConnectionView } from '../../../shared/control-commands.ts';
import { needs } from '../../needs.ts';
import { findPostgres, type PostgresServer, startPostgres } from '../../servers/postgres.ts';
import { type RealHome, realHome } from '../../shell-terminal/real-home.ts';
import { until } from '../../waiting/until.ts';

const binaries = findPostgres();
needs('unavailable' in binaries ? binaries.unavailable : null).describe('how a server proves itself is told', () => {
  let home: RealHome;
  let server: PostgresServer;
  beforeAll(async () => {
    if ('unavailable' in binaries) throw new Error(binaries.unavailable);
    server = await startPostgres(binaries);
    await server.psql(
      `create role scram_role login password 'its own'; set password_encryption = 'md5'; create role md5_role login password 'its own'`,
    );
    home = realHome();
    await home.run(['start']);
  }, 60_000);
  afterAll(async () => {
    await home?.clean();
    await server?.stop();
  });

  const shown = async (...words: string[]): Promise<string> => (await home.here(words)).stdout;
  const add = async (name: string, user: string, options = '', ...words: string[]): Promise<void> => {
    const host = name === 'Pinned' ? 'localhost' : '127.0.0.1';
    const url = `postgres://${user}:its%20own@${host}:${server.port}/postgres${options}`;
    expect((await home.here(['connections', 'add', url, '--name', name, ...words])).code).toBe(0);
  };

  test('by the first test, and by the later ones without that line', async () => {
    await add('Shop', 'scram_role');
    expect(await shown('connections', 'show', 'Shop')).not.toContain('proved by');
    const first = await shown('connections', 'test', 'Shop');
    expect(first).toMatch(/proved by +the password and channel binding, since \d{4}-\d\d-\d\d \d\d:\d\d/);
    expect(first).toContain(
      `From now on 127.0.0.1:${server.port} must prove itself by the password and channel binding.`,
    );
    const later = await shown('connections', 'test', 'Shop');
    expect(later).toMatch(/proved by +the password and channel binding, since/);
    expect(later).not.toContain('From now on');
    expect(await shown('connections', 'show', 'Shop')).toMatch(/proved by +the password and channel binding, since/);
  }, 60_000);

  test('in values to programs', async () => {
    await add('Clear', 'scram_role', '?require_auth=!password,!md5', '--tls', 'disable');
    const { knownServers: before, signInMethods } = await home.json<ConnectionView>(['connections', 'show', 'Clear']);
    expect(before).toBeUndefined();
    expect(await home.json(['connections', 'test', 'Clear'])).toMatchObject({
      knownServers: [{ proof: 'password', method: 'proves', isEncrypted: false }],
    });
    expect(signInMethods).toEqual(['none', 'scram-sha-256']);
    await add('Old', 'md5_role', '', '--tls', 'disable');
    expect(await home.json(['connections', 'test', 'Old'])).toMatchObject({
      newServers: [`127.0.0.1:${server.port}`],
      knownServers: [
        { proof: 'nothing', method: 'guessable', isEncrypted: false, keys: [], since: expect.any(String) },
      ],
    });
    expect(await home.json(['connections', 'test', 'Old'])).not.toHaveProperty('newServers');
    await add('Pinned', 'md5_role');
    expect(await home.json(['connections', 'test', 'Pinned'])).toMatchObject({
      knownServers: [{ proof: 'key', method: 'guessable', isEncrypted: true, keys: [expect.any(String)] }],
    });
  }, 60_000);

  test('in the list once one of them proves nothing', async () => {
    const list = await shown('connections', 'list');
    expect(list).toMatch(/PROVED BY/);
    expect(list).toMatch(/Shop .*the password and channel binding/);
    await home.here(['connections', 'remove', 'Old']);
    expect(await shown('connections', 'list')).not.toMatch(/PROVED BY/);
  }, 60_000);

  test('by status and doctor, of one that may be any', async () => {
    expect(await shown('status')).not.toContain('Any server');
    await add('Throwaway', 'scram_role', '', '--identity', 'any');
    await home.here(['connections', 'test', 'Throwaway']);
    const plain = (text: string): string => text.replace(/\s+/g, ' ');
    expect(plain(await shown('status'))).toContain(
      'Any server is let in at the address of "Throwaway" (identity any).',
    );
    expect(await shown('connections', 'list')).toMatch(/Throwaway .*nothing \(any server\)/);
    const doctor = plain(await shown('doctor', '--all'));
    expect(doctor).toContain('Throwaway signs in to whatever answers at its address');
    expect(doctor).toMatch(
      /Shop answers: PostgreSQL [\d.]+[^.]*\. It is proved by the password and channel binding, since/,
    );
    const proof = plain(await shown('prove', 'Throwaway'));
    // It stays unproved with verify-full.
    expect(proof).toMatch(/server Throwaway signs in to whatever .* Throwaway --identity known` ends that/);
    expect(proof).not.toContain('verify-full');
    await home.here(['connections', 'set', 'Throwaway', '--identity', 'known']);
    expect(await shown('status')).not.toContain('Any server');
  }, 60_000);

  test('a line of the log has who listens there, once a server', async () => {
    const log = (): string => readFileSync(join(home.home, 'logs', 'sallyportd.log'), 'utf8');
    const met = () =>
      log()
        .split('\n')
        .filter(line => line.includes('met for the first time'));
    await until(() => met().length >= 4, 'the log has them all');
    expect(met()).toHaveLength(4);
    if (process.platform === 'linux') for (const line of met()) expect(JSON.parse(line)).toHaveProperty('listener');
  }, 60_000);
});
