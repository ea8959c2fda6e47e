/** Keeps the owner passphrase's hash in the secret store, and beside the settings how often a wrong one was tried. */

import type { PassphraseStore, PassphraseTries } from '../../access/privilege-increases/passphrase.ts';
import { type SecretStore, SecretStoreUnavailable } from '../../access/secret-store.ts';
import type { Store } from '../store/store.ts';

/** No setting has this name. */
const triesKey = 'passphrase.tries';
/** No setting has this name either. */
const keptKey = 'passphrase.kept';
const owner = 'owner';

export function passphraseIn(secrets: SecretStore, { knex, write }: Pick<Store, 'knex' | 'write'>): PassphraseStore {
  async function keepRow(key: string, value: unknown): Promise<void> {
    await write(
      knex('settings')
        .insert({ key, value: JSON.stringify(value) })
        .onConflict('key')
        .merge(),
    );
  }
  return {
    async load() {
      const read = await secrets.read('passphrase', owner);
      // A keychain that can't be read must not look like one without a passphrase.
      if (read.kind === 'unavailable') throw new SecretStoreUnavailable(read.problem);
      if (read.kind === 'found') return read.value;
      // One that was kept and is gone is not none: whoever came next could make themselves the owner.
      return (await isMarked(knex)) ? '' : null;
    },
    async save(record) {
      await secrets.write('passphrase', owner, record);
      await keepRow(keptKey, true);
    },
    async loadTries() {
      const row: { value: string } | undefined = await knex('settings').where({ key: triesKey }).first('value');
      return triesIn(row?.value ?? null);
    },
    saveTries: tries => keepRow(triesKey, tries),
  };
}

async function isMarked(knex: Store['knex']): Promise<boolean> {
  return (await knex('settings').where({ key: keptKey }).first('key')) !== undefined;
}

function triesIn(text: string | null): PassphraseTries {
  try {
    const { wrong, lastAt }: Partial<PassphraseTries> = JSON.parse(text ?? '{}');
    return { wrong: Number(wrong) || 0, lastAt: Number(lastAt) || 0 };
  } catch {
    return { wrong: 0, lastAt: 0 };
  }
}
