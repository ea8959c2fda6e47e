/**
 * Threat: a secret turns up where it doesn't belong. After a whole journey of a home with a
 * keychain, the test searches for plaintext in a dump of that keychain, its file on disk, each file
 * of the home, each answer and each process's arguments.
 */

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { MintedTokenView } from '../../../shared/control-commands.ts';
import { modern, send } from '../../clients/http/wire.ts';
import { needs } from '../../needs.ts';
import { missingForSecretService, type SecretService, startSecretService } from '../../servers/secret-service.ts';
import { choosing, missingForTyping, passphrasePrompt, runOnTerminal } from '../terminal/typed-on-a-terminal.ts';
import { type KeychainHome, keychainHome } from './home.ts';

const password = 'Zq7-password-of-the-shop';
const wrongPassphrase = 'Zq7 a guess at the passphrase';
const passphrase = 'Zq7 passphrase of the owner';
const verifier = `Zq7${'v'.repeat(40)}`;

needs(missingForSecretService() ?? missingForTyping()).describe('plaintext', () => {
  let service: SecretService;
  let home: KeychainHome;
  /** Everything that a command or answer said, except the one output of a token. */
  const said: string[] = [];
  const processes: string[] = [];
  const secrets: Record<string, string> = { password, wrongPassphrase, passphrase, verifier };
  let dump: readonly { readonly account: string; readonly password: string }[] = [];
  let atRest = '';
  let keyring = '';

  beforeAll(async () => {
    service = await startSecretService();
    home = keychainHome(service);
    const watching = setInterval(() => processes.push(...argumentsOfAll()), 20);
    await journey();
    clearInterval(watching);
    dump = everyItem();
    keyring = service.bytesOnDisk().toString('latin1');
    atRest = home.everyByte();
  }, 180_000);
  afterAll(async () => {
    await home?.clean();
    await service?.stop();
  });

  async function tell(words: readonly string[], stdin?: string): Promise<string> {
    const { stdout, stderr } = await home.ask(words, stdin);
    said.push(stdout, stderr);
    return stdout;
  }

  async function typed(words: readonly string[], ...answers: (readonly [string, string])[]): Promise<void> {
    const found = Object.entries(home.bus).map(([name, value]) => `${name}=${value}`);
    const onBus = {
      ...home,
      spawnProgram: (program: string, more: readonly string[]) =>
        home.spawnProgram('/usr/bin/env', [...found, program, ...more]),
    };
    const { code, shown } = await runOnTerminal(onBus, words, answers);
    said.push(shown);
    expect([code, shown]).toEqual([0, shown]);
  }

  async function journey(): Promise<void> {
    const daemon = await home.startDaemon();
    secrets.bridgeToken = JSON.parse(readFileSync(join(home.home, 'mcp-handshake.json'), 'utf8')).token;
    await tell(['settings', 'set', 'log.level', 'debug']);
    await tell(
      ['connections', 'add', 'postgres://anna@127.0.0.1:1/shop', '--name', 'Shop', '--password-stdin'],
      password,
    );
    await tell(['connections', 'test', 'Shop']);
    const minted: MintedTokenView = await home.askJson('tokens', 'mint', '--name', 'Claude');
    secrets.token = minted.token;
    const { port } = await home.askJson<{ port: number }>('status');
    const call = async (token: string, name: string, args: Record<string, unknown>): Promise<void> => {
      const { text } = await send(
        `http://127.0.0.1:${port}/mcp`,
        modern(token, 'tools/call', { name, arguments: args }),
      );
      said.push(text);
    };
    await call(minted.token, 'execute_query', { connection: 'Shop', sql: 'select 1' });
    await call(minted.token, 'execute_query', { connection: minted.token, sql: `alter user x password '${password}'` });
    await call(minted.token, 'list_tables', { connection: `postgres://anna:${password}@127.0.0.1/shop` });
    await call(minted.token, 'no_such_tool', { [password]: minted.token });
    await call(`${minted.token.slice(0, -1)}_`, 'list_connections', {});
    await pair(port);
    await typed(['passphrase', 'set'], ...choosing(passphrase));
    await typed(
      ['tokens', 'mint', '--name', 'second', '--scope', 'read-write', '--expires', '1', '--json'],
      [passphrasePrompt, wrongPassphrase],
      [passphrasePrompt, passphrase],
    );
    const second = /"token": "(sp_[\w-]{43})"/.exec(said.at(-1) ?? '')?.[1] ?? '';
    said.splice(-1, 1, (said.at(-1) ?? '').replace(second, ''));
    secrets.secondToken = second;
    await tell(['activity']);
    await tell(['tokens', 'list', '--json']);
    await tell(['connections', 'show', 'Shop', '--json']);
    await tell(['doctor', '--json']);
    await tell(['activity', 'verify', '--json']);
    await daemon.stop();
  }

  async function pair(port: number): Promise<void> {
    const asked = new URLSearchParams({
      ...{ client: 'Ed', redirect: 'http://127.0.0.1:9/cb', scopes: 'readOnly' },
      challenge: createHash('sha256').update(verifier).digest('base64url'),
    });
    const approved = await home.ask([
      'open',
      `sallyport://integrations/pair?${asked}`,
      ...['--approve', '--connections', 'Shop'],
      '--print-redirect',
    ]);
    const code = new URL(approved.stdout.trim()).searchParams.get('code') ?? '';
    const exchange = (code_verifier: string) =>
      send(`http://127.0.0.1:${port}/v1/integrations/exchange`, {
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ code, code_verifier }),
      });
    const { json } = await exchange(verifier);
    secrets.code = code;
    secrets.pairedToken = String(Object.values(json).find(value => String(value).startsWith('sp_')));
    said.push((await exchange(verifier)).text);
  }

  /** Asks the keychain itself, as a password manager would. */
  function everyItem(): typeof dump {
    const script = "console.log(JSON.stringify(require('@napi-rs/keyring').findCredentials('Sallyport')))";
    const ran = spawnSync(process.execPath, ['-e', script], {
      env: { ...service.environment },
      cwd: import.meta.dirname,
      encoding: 'utf8',
    });
    return JSON.parse(ran.stdout);
  }

  function argumentsOfAll(): string[] {
    return readdirSync('/proc').flatMap(entry => {
      if (!/^\d+$/.test(entry)) return [];
      try {
        const line = readFileSync(`/proc/${entry}/cmdline`, 'utf8');
        return line.includes('sallyport') || line.includes('keychain-worker') ? [line] : [];
      } catch {
        return [];
      }
    });
  }

  function foundIn(text: string, all: Readonly<Record<string, string>> = secrets): string[] {
    const forms = (secret: string) => [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64url')];
    return Object.keys(all).filter(name => forms(all[name] ?? '').some(form => text.includes(form)));
  }

  test('the journey had all of them', () => {
    for (const [name, secret] of Object.entries(secrets)) expect([name, secret.length > 20]).toEqual([name, true]);
    expect(Object.keys(secrets)).toHaveLength(9);
    expect(said.length).toBeGreaterThan(15);
    expect(processes.some(line => line.includes('keychain-worker'))).toBe(true);
  });

  test('the keychain holds the password of the database in one item, and nothing else that anyone could use', () => {
    expect(dump.filter(item => foundIn(item.password, { password }).length > 0).map(({ account }) => account)).toEqual([
      expect.stringMatching(/^[0-9a-f-]{36}\/password\/[0-9a-f-]{36}$/),
    ]);
    const others = dump.filter(({ account }) => !account.includes('/password/'));
    const kinds = new Set(others.map(({ account }) => account.split('/')[1]));
    expect([...kinds].sort()).toEqual(['activity', 'passphrase', 'shell', 'store', 'token']);
    expect(foundIn(JSON.stringify(others))).toEqual([]);
    expect(foundIn(JSON.stringify(dump.map(({ account }) => account)))).toEqual([]);
  });

  test('its file on disk, and each file of the home, contain none, nor anything from the keychain', () => {
    expect(foundIn(keyring)).toEqual([]);
    expect(foundIn(atRest)).toEqual([]);
    const held = Object.fromEntries(dump.map(item => [item.account, item.password]));
    expect(foundIn(keyring, held)).toEqual([]);
    // The log's head has a sealed copy beside the rows, which is no secret.
    const secretly = Object.fromEntries(Object.entries(held).filter(([account]) => !account.endsWith('activity/head')));
    expect(foundIn(atRest, secretly)).toEqual([]);
  });

  test('nor do outputs, even of a failure, nor any process’s arguments', () => {
    expect(said.filter(text => foundIn(text).length > 0)).toEqual([]);
    expect(foundIn(processes.join('\n'))).toEqual([]);
  });
});
