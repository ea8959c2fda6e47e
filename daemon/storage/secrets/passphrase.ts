/** Keeps the owner passphrase's hash in the secret store, and beside the settings how often a wrong one was tried. */

import type { PassphraseStore, PassphraseTries } from '../../access/privilege-increases/passphrase.ts';
import { type SecretStore, SecretStoreUnavailable } from '../../access/secret-store.ts';
import type { Store } from '../store/store.ts';

/** No setting has this name. */
const triesKey = 'passphrase.tries';
const owner = 'owner';

export function passphraseIn(secrets: SecretStore, { knex, write }: Pick<Store, 'knex' | 'write'>): PassphraseStore {
  return {
    async load() {
      const read = await secrets.read('passphrase', owner);
      // A keychain that can't be read must not look like one without a passphrase.
      if (read.kind === 'unavailable') throw new SecretStoreUnavailable(read.problem);
      return read.kind === 'found' ? read.value : null;
    },
    save: record => secrets.write('passphrase', owner, record),
    async loadTries() {
      const row: { value: string } | undefined = await knex('settings').where({ key: triesKey }).first('value');
      return triesIn(row?.value ?? null);
    },
    async saveTries(tries) {
      await write(
        knex('settings')
          .insert({ key: triesKey, value: JSON.stringify(tries) })
          .onConflict('key')
          .merge(),
      );
    },
  };
}

function triesIn(text: string | null): PassphraseTries {
  try {
    const { wrong, lastAt }: Partial<PassphraseTries> = JSON.parse(text ?? '{}');
    return { wrong: Number(wrong) || 0, lastAt: Number(lastAt) || 0 };
  } catch {
    return { wrong: 0, lastAt: 0 };
  }
}
