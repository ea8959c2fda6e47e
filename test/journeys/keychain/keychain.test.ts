/**
 * The built commands with their home's secrets in a real Secret Service: started, restarted,
 * locked, moved.
 */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { needs } from '../../needs.ts';
import { missingForSecretService, type SecretService, startSecretService } from '../../servers/secret-service.ts';
import { type KeychainHome, keychainHome, type RunningDaemon } from './home.ts';

needs(missingForSecretService()).describe('a home with a keychain', () => {
  let service: SecretService;
  let home: KeychainHome;

  beforeAll(async () => {
    service = await startSecretService();
  });
  afterEach(() => home.clean());
  afterAll(() => service.stop());

  const run = (...words: string[]) => home.ask(words);

  async function stopDaemon(running: RunningDaemon): Promise<void> {
    expect(await run('stop')).toMatchObject({ code: 0, stderr: '' });
    expect(await running.ended).toBe(0);
  }

  test('the daemon stores its secrets there, its shells find theirs, and a restart finds all', async () => {
    home = keychainHome(service);
    const first = await home.startDaemon();
    expect(existsSync(join(home.home, 'secrets.json'))).toBe(false);
    const status = await run('status', '--json');
    expect(status).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(status.stdout)).toMatchObject({ state: 'ready', secrets: 'keychain' });
    expect(status.stdout).not.toContain('secrets.json');
    const saved = await home.ask(
      ['connections', 'add', 'postgres://anna@127.0.0.1/shop', '--name', 'Shop', '--password-stdin'],
      'hunter2-in-the-keychain',
    );
    expect(saved).toMatchObject({ code: 0 });
    const minted = JSON.parse((await run('tokens', 'mint', '--name', 'Claude', '--json')).stdout);
    await stopDaemon(first);
    expect(home.everyByte()).not.toContain('hunter2-in-the-keychain');
    expect(home.everyByte()).not.toContain(minted.token);
    expect(service.bytesOnDisk().includes('hunter2-in-the-keychain')).toBe(false);

    const second = await home.startDaemon();
    expect(JSON.parse((await run('status', '--json')).stdout)).toMatchObject({ secrets: 'keychain', tokens: 1 });
    expect(existsSync(join(home.home, 'secrets.json'))).toBe(false);
    await stopDaemon(second);
  }, 120_000);

  test('locked: the daemon doesn’t start, and says why; a shell says so too, and finds its secret again afterwards', async () => {
    home = keychainHome(service);
    const first = await home.startDaemon();
    await home.askHere(['tokens', 'mint', '--name', 'agent', '--scope', 'read-write']);
    await service.lock();
    const refused = await run('settings', 'list');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(
      /^sallyport: The secrets of this Sallyport are in the keychain, which can't be read: it is locked.*\.\n$/,
    );
    const { checks }: { checks: { name: string; ok: boolean; says: string; remedy: string | null }[] } = JSON.parse(
      (await run('doctor', '--json')).stdout,
    );
    expect(checks.filter(check => !check.ok && check.name !== 'port')).toMatchObject([
      {
        name: 'secrets',
        says: expect.stringMatching(/^In the keychain, which can't be read: it is locked/),
        remedy: expect.stringMatching(/^unlock it /),
      },
    ]);
    expect(await run('pause')).toMatchObject({ code: 0, stdout: expect.stringContaining('is paused') });
    expect(await run('tokens', 'revoke', 'agent')).toMatchObject({ code: 0 });
    expect(JSON.parse((await run('status', '--json')).stdout)).toMatchObject({ running: true, state: 'paused' });
    expect((await run('tokens', 'list', '--json')).stdout).toContain('"revoked"');
    expect(await run('stop')).toMatchObject({ code: 0 });
    expect(await first.ended).toBe(0);
    const second = await home.runDaemon(home.bus);
    expect(second.code).toBe(1);
    expect(second.stderr).toContain('The keychain is locked');
    expect(existsSync(join(home.home, 'secrets.json'))).toBe(false);

    await service.end();
    await service.begin('unlocked');
    const third = await home.startDaemon();
    expect(await run('status')).toMatchObject({ code: 0, stderr: '' });
    await stopDaemon(third);
  }, 120_000);

  test('`settings set keychain required` moves a file’s secrets, and from then on nothing starts without a keychain', async () => {
    home = keychainHome(service);
    const first = await home.startDaemon(home.none);
    expect(JSON.parse((await home.run(['status', '--json'])).stdout)).toMatchObject({ secrets: 'file' });
    const without = await home.run(['settings', 'set', 'keychain', 'required']);
    expect(without.code).toBe(1);
    expect(without.stderr).toMatch(/^sallyport: The secrets stay where they are\. The keychain can't be used.*\n$/);
    expect((await home.run(['settings', 'get', 'keychain'])).stdout).toBe('auto\n');
    const minted = JSON.parse((await home.run(['tokens', 'mint', '--name', 'Claude', '--json'])).stdout);
    expect((await home.run(['stop'])).code).toBe(0);
    await first.ended;

    const second = await home.startDaemon();
    expect(JSON.parse((await run('status', '--json')).stdout)).toMatchObject({ secrets: 'file' });
    expect(await run('settings', 'set', 'keychain', 'required')).toMatchObject({ code: 0, stderr: '' });
    expect(existsSync(join(home.home, 'secrets.json'))).toBe(false);
    const moved = JSON.parse((await run('status', '--json')).stdout);
    expect(moved).toMatchObject({ secrets: 'keychain', tokens: 1 });
    expect((await callWith(minted.token, moved.port)).status).not.toBe(401);
    await stopDaemon(second);

    const third = await home.runDaemon(home.none);
    expect(third.code).toBe(1);
    expect(third.stderr).toContain("The keychain can't be used");
    const fourth = await home.startDaemon();
    expect((await callWith(minted.token, JSON.parse((await run('status', '--json')).stdout).port)).status).not.toBe(
      401,
    );
    await stopDaemon(fourth);
  }, 120_000);
});

function callWith(token: string, port: number): Promise<Response> {
  return fetch(`http://127.0.0.1:${port}/mcp`, { method: 'POST', headers: { authorization: `Bearer ${token}` } });
}
