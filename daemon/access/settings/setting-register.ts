/**
 * Holds this run's settings and changes them one at a time (spec §16): checks, applies, then
 * stores. A change that can't be applied is refused with a sentence; one that can't be stored is
 * undone.
 */

import { oneAtATime } from '../../one-at-a-time.ts';
import { NotKept } from '../not-kept.ts';
import { changedSettings } from './setting-change.ts';
import { defaultSettings, type SettingKey, type Settings, settingKeys, settingSpecs } from './settings.ts';

export interface SettingStore {
  /** As stored; unchecked. */
  load(): Promise<ReadonlyMap<string, unknown>>;
  save(key: SettingKey, value: Settings[SettingKey]): Promise<void>;
}

type SettingChange =
  | { readonly kind: 'set'; readonly key: SettingKey; readonly former: Settings; readonly settings: Settings }
  /** No such setting, or not one of its values: those that it `takes`. */
  | { readonly kind: 'not_accepted'; readonly sentence: string; readonly takes: string | null }
  /** A valid value that can't be applied. */
  | { readonly kind: 'refused'; readonly sentence: string };

/**
 * Applies a change. Also called for a value that is set again.
 * @returns null, or a sentence on why it can't be applied.
 */
type SettingEffect = (key: SettingKey, next: Settings) => Promise<string | null> | string | null;

export interface SettingRegister {
  current(): Settings;
  /** @param given a value, or the text that a person typed. */
  set(key: string, given: unknown): Promise<SettingChange>;
  /** Called in turn before a change is stored. */
  onChange(effect: SettingEffect): void;
  /** Called once a change is stored. */
  onChanged(listener: (key: SettingKey, settings: Settings, former: Settings) => void): void;
}

/**
 * A stored value that is no longer accepted is replaced by the one that gives clients least.
 * @param report gets its key.
 */
export async function loadSettingRegister(
  store: SettingStore,
  report: (key: SettingKey) => void = () => {},
): Promise<SettingRegister> {
  const effects: SettingEffect[] = [];
  const listeners: ((key: SettingKey, settings: Settings, former: Settings) => void)[] = [];
  let settings = asKept(await store.load(), report);
  // The secrets move to the keychain, which may take a person's time: nobody else waits for that.
  const [inTurn, keychainInTurn] = [oneAtATime(), oneAtATime()];

  async function set(key: string, given: unknown): Promise<SettingChange> {
    const former = settings;
    const next = changedSettings(former, key, given);
    if ('refused' in next) return { kind: 'not_accepted', sentence: next.refused, takes: next.takes ?? null };
    // Checked by `changedSettings`.
    const known = key as SettingKey;
    for (const effect of effects) {
      const problem = await effect(known, next);
      if (problem !== null) return { kind: 'refused', sentence: problem };
    }
    try {
      await store.save(known, next[known]);
    } catch (error) {
      if (known === 'enabled' && !next.enabled) {
        settle(next, known);
        throw new NotKept('switched off', error);
      }
      for (const effect of effects) await effect(known, former);
      throw error;
    }
    const settled = settle(next, known);
    return { kind: 'set', key: known, former, settings: settled };
  }

  /** That one alone: another may have changed meanwhile. */
  function settle(next: Settings, key: SettingKey): Settings {
    const former = settings;
    settings = { ...former, [key]: next[key] };
    for (const listener of listeners) listener(key, settings, former);
    return settings;
  }

  return {
    current: () => settings,
    set: (key, given) => (key === 'keychain' ? keychainInTurn : inTurn)(() => set(key, given)),
    onChange: effect => void effects.push(effect),
    onChanged: listener => void listeners.push(listener),
  };
}

function asKept(kept: ReadonlyMap<string, unknown>, report: (key: SettingKey) => void): Settings {
  const read = settingKeys.flatMap(key => {
    if (!kept.has(key)) return [];
    const value = settingSpecs[key].takes.read(kept.get(key));
    if (value !== null) return [[key, value] as const];
    report(key);
    return [[key, settingSpecs[key].ifUnreadable] as const];
  });
  return { ...defaultSettings, ...Object.fromEntries(read) };
}
