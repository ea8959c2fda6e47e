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

const keptDoubts = z.array(z.enum(storeDoubts));
const distinct = (doubts: readonly StoreDoubt[]): readonly StoreDoubt[] => [...new Set(doubts)];

/** @param reserve also keeps the pause: the store may have no room for it, or lose it. */
export function pauseIn(store: Tables, reserve: StoreReserve, report: (error: unknown) => void) {
  let doubts: readonly StoreDoubt[] = [];

  /**
   * Either place is enough.
   * @throws the store's error if neither takes it: it says what is wrong with the disk.
   */
  async function pause(why: readonly StoreDoubt[]): Promise<void> {
    const failed = await save(store, pauseKey, why).then(
      () => null,
      (error: unknown) => ({ error }),
    );
    try {
      reserve.hold({ paused: true, doubts: why });
    } catch (error) {
      if (failed !== null) throw failed.error;
      report(error);
    }
    doubts = why;
  }

  return {
    /** Before the first `save`, which would lose what was found in an earlier run. */
    async load(): Promise<boolean> {
      const value = await keptValue(store, 'settings', pauseKey);
      const held = reserve.held();
      // A pause that can't be read counts as one.
      const isPaused = held.paused || (value !== null && value !== 'false');
      const kept = keptDoubts.safeParse(parsedJson(value ?? '')).data ?? [];
      doubts = isPaused ? distinct([...held.doubts, ...kept]) : [];
      return isPaused;
    },
    /** @param why absent if a person pauses: what was found before stays so. */
    async save(isPaused: boolean, why?: StoreDoubt): Promise<void> {
      if (isPaused) return pause(distinct(why === undefined ? doubts : [...doubts, why]));
      await save(store, pauseKey, false);
      if (reserve.held().paused) reserve.hold({ paused: false, doubts: [] });
      doubts = [];
    },
    /** Why it is paused, found first comes first; empty if a person paused it, or nobody did. */
    doubts: () => doubts,
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
