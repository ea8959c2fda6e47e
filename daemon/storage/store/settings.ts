/**
 * Keeps the settings in the store, and beside them whether Sallyport is paused and whether its app
 * was ever seen. daemon/access/settings/settings.ts says what they mean.
 */

import * as z from 'zod';
import { parsedJson } from '../../../shared/json.ts';
import type { SettingStore } from '../../access/settings/setting-register.ts';
import { type StoreDoubt, storeDoubts } from '../../access/store-doubt.ts';
import { keepValue, keptValue } from './kept-values.ts';
import type { StoreReserve } from './reserve.ts';
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

/** No setting has this name: only `pause` and `resume` change it. */
const pauseKey = 'paused';

/** @param reserve also keeps the pause: the store may have no room for it, or lose it. */
export function pauseIn(store: Tables, reserve: StoreReserve, report: (error: unknown) => void) {
  let doubt: StoreDoubt | null = null;

  /**
   * Either place is enough.
   * @throws the store's error if neither takes it: it says what is wrong with the disk.
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
      // A pause that can't be read counts as one.
      const isPaused = held.paused || (value !== null && value !== 'false');
      const kept = storeDoubts.find(each => each === parsedJson(value ?? '')) ?? null;
      doubt = isPaused ? (held.doubt ?? kept) : null;
      return isPaused;
    },
    /** @param why absent if a person pauses: what was found before stays so. */
    async save(isPaused: boolean, why: StoreDoubt | null = doubt): Promise<void> {
      if (isPaused) return pause(why);
      await save(store, pauseKey, false);
      if (reserve.held().paused) reserve.hold({ paused: false, doubt: null });
      doubt = null;
    },
    /** Why it is paused; null if a person paused it, or nobody did. */
    doubt: () => doubt,
  };
}

/** No setting has this name: the last port taken because another program had the configured one. */
const lastPortKey = 'last-port';

const portShape = z.int().min(1).max(65_535);

export function lastPortIn(store: Tables) {
  return {
    /** @returns null if no other port was ever taken. */
    load: async () =>
      portShape.safeParse(parsedJson((await keptValue(store, 'settings', lastPortKey)) ?? '')).data ?? null,
    save: (port: number) => save(store, lastPortKey, port),
  };
}

/** No setting has this name either: only the app's arrival sets it, and nothing clears it. */
const appSeenKey = 'app-seen';

export function appSeenIn(store: Tables) {
  return {
    // Any value counts: once written, nothing takes it back.
    load: async () => (await keptValue(store, 'settings', appSeenKey)) !== null,
    save: () => save(store, appSeenKey, true),
  };
}

/** Nor this one: how each standing grant was confirmed. */
const grantsKey = 'grants';

export function grantsIn(store: Tables) {
  return {
    load: () => keptValue(store, 'settings', grantsKey),
    save: (text: string) => keepValue(store, 'settings', grantsKey, text),
  };
}

function save(store: Tables, key: string, value: unknown): Promise<void> {
  return keepValue(store, 'settings', key, JSON.stringify(value));
}
