/**
 * Keeps the owner passphrase's hash in the secret store, and the count of wrong tries beside the
 * settings.
 */

import * as z from 'zod';
import { parsedJson } from '../../../shared/json.ts';
import type { PassphraseStore } from '../../access/privilege-increases/passphrase.ts';
import { type SecretStore, SecretStoreUnavailable } from '../../access/secret-store.ts';
import { keepValue, keptValue } from '../store/kept-values.ts';
import type { Store } from '../store/store.ts';

/** No setting has this name. */
const triesKey = 'passphrase.tries';
/** No setting has this name either. */
const keptKey = 'passphrase.kept';
const owner = 'owner';

const triesShape = z.object({ wrong: z.number().catch(0), lastAt: z.number().catch(0) });

export function passphraseIn(secrets: SecretStore, store: Pick<Store, 'knex' | 'write'>): PassphraseStore {
  return {
    async load() {
      const read = await secrets.read('passphrase', owner);
      // A keychain that can't be read must not look like one without a passphrase.
      if (read.kind === 'unavailable') throw new SecretStoreUnavailable(read.problem);
      if (read.kind === 'found') return read.value;
      // A passphrase that was kept and is gone doesn't count as none: anybody could then make
      // themselves the owner.
      return (await keptValue(store, 'settings', keptKey)) === null ? null : '';
    },
    async save(record) {
      await secrets.write('passphrase', owner, record);
      await keepValue(store, 'settings', keptKey, 'true');
    },
    async loadTries() {
      const kept = triesShape.safeParse(parsedJson((await keptValue(store, 'settings', triesKey)) ?? ''));
      return kept.data ?? { wrong: 0, lastAt: 0 };
    },
    saveTries: tries => keepValue(store, 'settings', triesKey, JSON.stringify(tries)),
  };
}
