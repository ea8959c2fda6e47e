/**
 * Threat: a program edits what a server has shown, so that its own server counts as the known one.
 */

import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { knownServersIn } from '../../../daemon/storage/store/known-servers.ts';
import { openStore } from '../../../daemon/storage/store/store.ts';
import { temporaryFolder } from '../home-for-tests.ts';

const folder = temporaryFolder();
const sealOf = (text: string): Buffer => createHmac('sha256', 'key').update(text).digest();
const known = {
  isEncrypted: true,
  method: 'proves',
  keys: ['key'],
  socketOwner: null,
  address: null,
  since: '2026-11-20T12:00:00.000Z',
} as const;

test('a record that was edited, or put at another place, counts as one that proved everything', async () => {
  const store = await openStore(join(folder, 'sallyport.db'));
  try {
    const servers = knownServersIn(store, sealOf);
    for (const place of ['kept', 'edited', 'moved']) await servers.keep(place, { ...known, keys: [place] });
    const edited = store.knex.raw(`replace(record, '["edited"]', '["theirs"]')`);
    await store.write(store.knex('known_servers').where({ place: 'edited' }).update({ record: edited }));
    const moved = store.knex('known_servers').select('record').where({ place: 'kept' });
    await store.write(store.knex('known_servers').where({ place: 'moved' }).update({ record: moved }));
    const loaded = await servers.load();
    expect(loaded.get('kept')).toEqual({ ...known, keys: ['kept'] });
    for (const place of ['edited', 'moved'])
      expect(loaded.get(place)).toMatchObject({ method: 'proves_line', keys: [], socketOwner: -1 });
  } finally {
    await store.close();
  }
});
