/** The built commands with the secrets of their home in a real Secret Service: started, restarted, locked, moved. */

import type { ChildProcess } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { missingForSecretService, type SecretService, startSecretService } from '../servers/secret-service.ts';
import { type RealHome, realHome } from '../shell-terminal/real-home.ts';

const missing = missingForSecretService();
const describeOrSkip = missing === null ? describe : describe.skip;

describeOrSkip(`a home with a keychain${missing === null ? '' : ` (not tested: ${missing})`}`, () => {
  let service: SecretService;
  let bus: Record<string, string>;
  let home: RealHome;

  beforeAll(async () => {
    service = await startSecretService();
    const { DBUS_SESSION_BUS_ADDRESS = '', XDG_RUNTIME_DIR = '' } = service.environment;
    bus = { DBUS_SESSION_BUS_ADDRESS, XDG_RUNTIME_DIR };
  });
  afterEach(() => home.clean());
  afterAll(() => service.stop());

  /** In the foreground it keeps the caller's environment, and so finds the bus of the test. */
  async function startDaemon(environment = bus): Promise<{ child: ChildProcess; ended: Promise<number | null> }> {
    const child = home.spawn(['start', '--foreground'], environment);
    const ended = new Promise<number | null>(resolve => child.once('close', resolve));
    let over = false;
    void ended.then(() => {
      over = true;
    });
    while (!over && !existsSync(join(home.home, 'mcp-handshake.json'))) await pause();
    return { child, ended };
  }

  const run = (...words: string[]) => home.run(words, { environment: bus });

  async function stopDaemon(ended: Promise<number | null>): Promise<void> {
    expect(await run('stop')).toMatchObject({ code: 0, stderr: '' });
    expect(await ended).toBe(0);
  }

  /** Everything that is in the home, as text. */
  function everyByte(): string {
    return readdirSync(home.home, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
      .join('\n');
  }

  test('the daemon keeps its secrets there, its shells find theirs, and a restart finds all', async () => {
    home = realHome();
    const first = await startDaemon();
    expect(existsSync(join(home.home, 'secrets.json'))).toBe(false);
    const status = await run('status', '--json');
    expect(status).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(status.stdout)).toMatchObject({ state: 'ready', secrets: 'keychain' });
    expect(status.stdout).not.toContain('secrets.json');
    const saved = await home.run(
      ['connections', 'add', 'postgres://anna@127.0.0.1/shop', '--name', 'Shop', '--password-stdin'],
      {
        environment: bus,
        stdin: 'hunter2-in-the-keychain',
      },
    );
    expect(saved).toMatchObject({ code: 0 });
    const minted = JSON.parse((await run('tokens', 'mint', '--name', 'Claude', '--json')).stdout);
    await stopDaemon(first.ended);
    expect(everyByte()).not.toContain('hunter2-in-the-keychain');
    expect(everyByte()).not.toContain(minted.token);
    expect(service.bytesOnDisk().includes('hunter2-in-the-keychain')).toBe(false);

    const second = await startDaemon();
    expect(JSON.parse((await run('status', '--json')).stdout)).toMatchObject({ secrets: 'keychain', tokens: 1 });
    expect(existsSync(join(home.home, 'secrets.json'))).toBe(false);
    await stopDaemon(second.ended);
  }, 120_000);

  test('locked: the daemon does not start, and says why; a shell says so too, and finds its secret again after', async () => {
    home = realHome();
    const first = await startDaemon();
    await service.lock();
    const refused = await run('status');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(
      /^sallyport: The secrets of this Sallyport are in the keychain, which can't be read: it is locked.*\.\n$/,
    );
    first.child.kill('SIGTERM');
    expect(await first.ended).toBe(0);
    const second = await home.run(['start', '--foreground'], { environment: bus });
    expect(second.code).toBe(1);
    expect(second.stderr).toContain('The keychain is locked');
    expect(existsSync(join(home.home, 'secrets.json'))).toBe(false);

    await service.end();
    await service.begin('unlocked');
    const third = await startDaemon();
    expect(await run('status')).toMatchObject({ code: 0, stderr: '' });
    await stopDaemon(third.ended);
  }, 120_000);

  test('`settings set keychain required` moves a file’s secrets, and from then on there is no start without a keychain', async () => {
    home = realHome();
    const none = { DBUS_SESSION_BUS_ADDRESS: `unix:path=${home.folder}/none` };
    const first = await startDaemon(none);
    expect(JSON.parse((await home.run(['status', '--json'])).stdout)).toMatchObject({ secrets: 'file' });
    const without = await home.run(['settings', 'set', 'keychain', 'required']);
    expect(without.code).toBe(1);
    expect(without.stderr).toMatch(/^sallyport: The secrets stay where they are\. The keychain can't be used.*\n$/);
    expect((await home.run(['settings', 'get', 'keychain'])).stdout).toBe('auto\n');
    const minted = JSON.parse((await home.run(['tokens', 'mint', '--name', 'Claude', '--json'])).stdout);
    expect((await home.run(['stop'])).code).toBe(0);
    await first.ended;

    const second = await startDaemon();
    expect(JSON.parse((await run('status', '--json')).stdout)).toMatchObject({ secrets: 'file' });
    expect(await run('settings', 'set', 'keychain', 'required')).toMatchObject({ code: 0, stderr: '' });
    expect(existsSync(join(home.home, 'secrets.json'))).toBe(false);
    const moved = JSON.parse((await run('status', '--json')).stdout);
    expect(moved).toMatchObject({ secrets: 'keychain', tokens: 1 });
    expect((await callWith(minted.token, moved.port)).status).not.toBe(401);
    await stopDaemon(second.ended);

    const third = await home.run(['start', '--foreground'], { environment: none });
    expect(third.code).toBe(1);
    expect(third.stderr).toContain("The keychain can't be used");
    const fourth = await startDaemon();
    expect((await callWith(minted.token, JSON.parse((await run('status', '--json')).stdout).port)).status).not.toBe(
      401,
    );
    await stopDaemon(fourth.ended);
  }, 120_000);
});

function callWith(token: string, port: number): Promise<Response> {
  return fetch(`http://127.0.0.1:${port}/mcp`, { method: 'POST', headers: { authorization: `Bearer ${token}` } });
}

const pause = () => new Promise(resolve => setTimeout(resolve, 50));
