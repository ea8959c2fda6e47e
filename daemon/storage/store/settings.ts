/**
 * Keeps the settings in the store, and beside them whether Sallyport is paused and whether its app
 * was ever seen. What they mean is daemon/access/settings/settings.ts.
 */

import * as z from 'zod';
import { parsedJson } from '../../../shared/json.ts';
import type { SettingStore } from '../../access/settings/setting-register.ts';
import { type StoreDoubt, storeDoubts } from '../../access/store-doubt.ts';
import { keepValue, keptValue } from './kept-values.ts';
import type { Reserve } from './reserve.ts';
import type { Store } from './store.ts';

type Tables = Pick<Store, 'knex' | 'write'>;

export function settingsIn(store: Tables): SettingStore {
  return {
    async load() {
      const rows: { key: string; value: string }[] = await store.knex('settings').select('key', 'value');
      return new Map(rows.map(({ key, value }) => [key, parsedJson(value)]));
    },
    save: (key, value) => save(store, key, value),
  };
}

/** No setting has this name: it is changed by `pause` and `resume` alone. */
const pauseKey = 'paused';

/** @param reserve where a pause is kept too: the store may have no room for it, or lose it. */
export function pauseIn(store: Tables, reserve: Reserve, report: (error: unknown) => void) {
  let doubt: StoreDoubt | null = null;

  /**
   * Either will do.
   * @throws the store's error where neither takes it: it says what is wrong with the disk.
   */
  async function pause(why: StoreDoubt | null): Promise<void> {
    const failed = await save(store, pauseKey, why ?? true).then(
      () => null,
      (error: unknown) => ({ error }),
    );
    try {
      reserve.hold({ paused: true, doubt: why });
    } catch (error) {
      if (failed !== null) throw failed.error;
      report(error);
    }
    doubt = why;
  }

  return {
    async load(): Promise<boolean> {
      const value = await keptValue(store, 'settings', pauseKey);
      const held = reserve.held();
      // Whatever else stands there: a pause that can't be read is one.
      const isPaused = held.paused || (value !== null && value !== 'false');
      const kept = storeDoubts.find(each => each === parsedJson(value ?? '')) ?? null;
      doubt = isPaused ? (held.doubt ?? kept) : null;
      return isPaused;
    },
    async save(isPaused: boolean): Promise<void> {
      if (isPaused) return pause(doubt);
      await save(store, pauseKey, false);
      if (reserve.held().paused) reserve.hold({ paused: false, doubt: null });
      doubt = null;
    },
    /** Says why until somebody resumes. */
    pauseFor: (why: StoreDoubt): Promise<void> => pause(why),
    /**
     * Of what was loaded, or paused for since; null where a person paused, and while nobody has.
     */
    doubt: () => doubt,
  };
}

/**
 * No setting has this name: it is the port that was taken where the configured one was another
 * program's.
 */
const lastPortKey = 'last-port';

const portShape = z.int().min(1).max(65_535);

export function lastPortIn(store: Tables) {
  return {
    /** Null where no other port than the configured one was ever taken. */
    load: async () =>
      portShape.safeParse(parsedJson((await keptValue(store, 'settings', lastPortKey)) ?? '')).data ?? null,
    save: (port: number) => save(store, lastPortKey, port),
  };
}

/**
 * No setting has this name either: nothing but the app's own coming sets it, and nothing clears it.
 */
const appSeenKey = 'app-seen';

export function appSeenIn(store: Tables) {
  return {
    // Whatever stands there: who has taken the trouble to write it is not to be talked out of it.
    load: async () => (await keptValue(store, 'settings', appSeenKey)) !== null,
    save: () => save(store, appSeenKey, true),
  };
}

function save(store: Tables, key: string, value: unknown): Promise<void> {
  return keepValue(store, 'settings', key, JSON.stringify(value));
}
