/** What the next start does with passwords and passphrases that a kill left behind. */

import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { openFileSecretStore } from '../../../daemon/storage/secrets/file-secret-store.ts';
import { passwordsIn, settlePasswords } from '../../../daemon/storage/secrets/passwords.ts';
import { connectionWith } from '../../access/principals.ts';
import { temporaryFolder } from '../home-for-tests.ts';

const path = join(temporaryFolder(), 'secrets.json');
const clientCertificate = { certificateFile: '/a.crt', keyFile: '/a.key' };
const certified = connectionWith({ id: 'certified', tls: { mode: 'verify-full', caFile: null, clientCertificate } });
const stored = connectionWith({ id: 'stored', password: { kind: 'stored' } });
const damaged = { id: 'damaged', name: 'Damaged' };
const removed = { id: 'removed', name: 'Removed', removedAt: 0, connection: null };

test('those without a connection are removed; those of a damaged or removed one stay', async () => {
  const secrets = openFileSecretStore(path, '11111111-2222-4333-8444-555555555555');
  for (const kind of ['password', 'keyPassphrase'] as const)
    for (const id of ['certified', 'stored', 'damaged', 'removed', 'gone'])
      await secrets.write(kind, id, `${kind} of ${id}`);
  await settlePasswords(secrets, {
    list: () => [certified, stored],
    damaged: () => [damaged],
    removed: () => [removed],
  });
  expect((await secrets.list('password')).toSorted()).toEqual(['damaged', 'removed', 'stored']);
  expect((await secrets.list('keyPassphrase')).toSorted()).toEqual(['certified', 'damaged', 'removed']);
  expect(await passwordsIn(secrets).secretOf('keyPassphrase', certified)).toBe('keyPassphrase of certified');
  expect(await passwordsIn(secrets).secretOf('keyPassphrase', stored)).toBeNull();
});

test('the one that a connection was saved with replaces the former; any other is removed', async () => {
  const secrets = openFileSecretStore(path, '11111111-2222-4333-8444-555555555555');
  const saved = connectionWith({ id: 'saved', revision: 4, password: { kind: 'stored' } });
  const unsaved = connectionWith({ id: 'unsaved', revision: 4, password: { kind: 'stored' } });
  for (const id of ['saved', 'saved@4', 'unsaved', 'unsaved@5', 'gone@1'])
    await secrets.write('password', id, `of ${id}`);
  const passwords = passwordsIn(secrets);
  expect([await passwords.of(saved), await passwords.of(unsaved)]).toEqual(['of saved@4', 'of unsaved']);
  await settlePasswords(secrets, { list: () => [saved, unsaved], damaged: () => [], removed: () => [] });
  expect((await secrets.list('password')).toSorted()).toEqual(['saved', 'unsaved']);
  expect([await passwords.of(saved), await passwords.of(unsaved)]).toEqual(['of saved@4', 'of unsaved']);
});
