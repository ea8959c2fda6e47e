/** Passwords and passphrases that a kill left behind, at the next start. */

import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { openFileSecretStore } from '../../../daemon/storage/secrets/file-secret-store.ts';
import { deleteOrphanedPasswords, passwordsIn } from '../../../daemon/storage/secrets/passwords.ts';
import { connectionWith } from '../../access/principals.ts';
import { temporaryFolder } from '../home-for-tests.ts';

const path = join(temporaryFolder(), 'secrets.json');
const clientCertificate = { certificateFile: '/a.crt', keyFile: '/a.key' };
const certified = connectionWith({ id: 'certified', tls: { mode: 'verify-full', caFile: null, clientCertificate } });
const stored = connectionWith({ id: 'stored', password: { kind: 'stored' } });
const damaged = { id: 'damaged', name: 'Damaged' };

test('those of no connection go; those of one whose record is damaged stay', async () => {
  const secrets = openFileSecretStore(path, '11111111-2222-4333-8444-555555555555');
  for (const kind of ['password', 'keyPassphrase'] as const)
    for (const id of ['certified', 'stored', 'damaged', 'gone']) await secrets.write(kind, id, `${kind} of ${id}`);
  await deleteOrphanedPasswords(secrets, { list: () => [certified, stored], damaged: () => [damaged] });
  expect((await secrets.list('password')).toSorted()).toEqual(['damaged', 'stored']);
  expect((await secrets.list('keyPassphrase')).toSorted()).toEqual(['certified', 'damaged']);
  expect(await passwordsIn(secrets).ofClientKey(certified)).toBe('keyPassphrase of certified');
  expect(await passwordsIn(secrets).ofClientKey(stored)).toBeNull();
});
