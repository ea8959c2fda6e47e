/**
 * A program of the app's bundle makes the shell secret. Here a stand-in makes it, in a real
 * keyring.
 */

import { randomUUID } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { shellSecret } from '../../../daemon/access/privilege-increases/owner-app.ts';
import { appItemMaker } from '../../../daemon/storage/secrets/app-item.ts';
import { writeIndex } from '../../../daemon/storage/secrets/keychain-index.ts';
import { openKeychainSecretStore } from '../../../daemon/storage/secrets/keychain-secret-store.ts';
import { keychainEnvironment } from '../../../shared/keychain-call.ts';
import { newNonce } from '../../../shared/proofs.ts';
import { temporaryFolder } from '../home-for-tests.ts';
import { describeWithKeychain } from '../keychain-for-tests.ts';

const root = temporaryFolder();
let app: string;
let program: string;
const warned: string[] = [];
beforeEach(() => {
  app = join(mkdtempSync(join(root, 'app-')), 'My Sallyport.app');
  program = join(app, 'Contents/Resources/sallyport/bundle/sallyportd.js');
  warned.length = 0;
});
afterEach(() => rmSync(dirname(app), { recursive: true, force: true }));

/** @param body shell code in place of the bundle's `sallyport-keychain`. */
function helper(body: string): void {
  const path = join(app, 'Contents/Helpers/sallyport-keychain');
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `#!/bin/sh\n${body}\n`);
  chmodSync(path, 0o755);
}

/**
 * Does what the real one does, except for the access list: adds an item of its own, and notes
 * everything that it was given.
 */
function adding(secret: string): void {
  const script = join(dirname(app), 'add.mjs');
  const keyring = fileURLToPath(new URL('../../../node_modules/@napi-rs/keyring/index.js', import.meta.url));
  writeFileSync(
    script,
    `import { readFileSync, writeFileSync } from 'node:fs';
import keyring from ${JSON.stringify(keyring)};
const [account] = process.argv.slice(2);
const given = { words: process.argv.slice(2), stdin: readFileSync(0, 'utf8'), names: Object.keys(process.env) };
writeFileSync(${JSON.stringify(join(dirname(app), 'given'))}, JSON.stringify(given));
const entry = new keyring.AsyncEntry('Sallyport', account, { linux: { store: 'secret-service' } });
if (await entry.getPassword() !== null) throw new Error('duplicate');
await entry.setPassword(${JSON.stringify(secret)});`,
  );
  helper(`exec '${process.execPath}' '${script}' "$@"`);
}

const maker = (environment: Readonly<Record<string, string>>, platform: NodeJS.Platform = 'darwin') =>
  appItemMaker({
    ...{ platform, program, environment, patienceMilliseconds: 5_000 },
    warn: sentence => warned.push(sentence),
  });

test.each([
  ['linux', '/Applications/Sallyport.app/Contents/Resources/sallyport/bundle/sallyportd.js'],
  ['darwin', '/usr/local/lib/node_modules/sallyport/bundle/sallyportd.js'],
] as const)('a daemon on %s that runs from %s has no such program', (platform, elsewhere) => {
  expect(appItemMaker({ platform, program: elsewhere, environment: {}, warn: () => {} })).toBeNull();
});

describeWithKeychain('in a keyring', under => {
  async function secrets() {
    const { keychain, service } = under();
    const storeId = randomUUID();
    await writeIndex(keychain, storeId, []);
    const make = maker(keychainEnvironment(service.environment));
    return { keychain, item: `${storeId}/shell/secret`, store: openKeychainSecretStore(keychain, storeId, make) };
  }

  test('the program makes the secret itself, and the next start reads the same', async () => {
    const made = `keychain.${newNonce()}`;
    adding(made);
    const { store, item } = await secrets();
    expect(await shellSecret(store, newNonce)).toBe(made);
    expect(await shellSecret(store, newNonce)).toBe(made);
    expect(await store.list('shell')).toEqual(['secret']);
    const { words, stdin, names } = JSON.parse(readFileSync(join(dirname(app), 'given'), 'utf8'));
    expect([words, stdin]).toEqual([[item], '']);
    const { environment } = under().service;
    expect(Object.keys(keychainEnvironment(environment))).toEqual(expect.arrayContaining(names.filter(ours)));
    expect(warned).toEqual([]);
  });

  test('one that came from a file is replaced by one of its making', async () => {
    const made = `keychain.${newNonce()}`;
    adding(made);
    const { store } = await secrets();
    await store.write('shell', 'secret', newNonce());
    expect(await shellSecret(store, newNonce)).toBe(made);
  });

  test.each([
    ['is not there', null, /: ENOENT\.$/],
    [
      'refuses',
      'echo "Sallyport.app is not signed by one team" >&2; exit 1',
      /: Sallyport\.app is not signed by one team\.$/,
    ],
    ['fails without a word', 'exit 3', /: 3\.$/],
    ['says that it did, and did not', 'exit 0', /: it is not there\.$/],
    ['never ends', 'exec sleep 60', /: it gave no answer within 5 s\.$/],
  ])('if it %s, the secret is made as any other, which is reported once', async (_how, body, said) => {
    if (body !== null) helper(body);
    const { store, keychain, item } = await secrets();
    const secret = await shellSecret(store, newNonce);
    expect(secret).toMatch(/^keychain\.[\w-]{43}$/);
    expect(await keychain.get(item)).toBe(secret);
    expect(await shellSecret(store, newNonce)).toBe(secret);
    expect(warned).toEqual([expect.stringMatching(said)]);
    expect(warned[0]).toContain('macOS will ask once whether Sallyport.app may read its secret in the keychain');
    expect(warned[0]).not.toContain(secret);
  });

  test.each(['planted', `keychain.${'x'.repeat(42)}`, newNonce()])(
    'another form than ours, %p, isn’t its work',
    async other => {
      adding(other);
      const { store } = await secrets();
      expect(await shellSecret(store, newNonce)).not.toBe(other);
      expect(warned).toHaveLength(1);
    },
  );
});

/** False for the names that a shell adds by itself. */
const ours = (name: string): boolean => !['PWD', 'SHLVL', '_', 'OLDPWD'].includes(name);
