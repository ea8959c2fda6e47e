/**
 * Holds the settings of this run and changes them one at a time (spec §16): checked, put into
 * effect by whoever answers for the effect, then kept. A change that can't be put into effect is
 * refused with a sentence and nothing is kept; one that can't be kept is taken back.
 */

import { oneAtATime } from '../../one-at-a-time.ts';
import { changed } from './setting-change.ts';
import { defaultSettings, type SettingKey, type Settings, settingKeys, settingSpecs } from './settings.ts';

export interface SettingStore {
  /** As they were kept; unchecked. */
  load(): Promise<ReadonlyMap<string, unknown>>;
  save(key: SettingKey, value: Settings[SettingKey]): Promise<void>;
}

type SettingChange =
  | { readonly kind: 'set'; readonly key: SettingKey; readonly former: Settings; readonly settings: Settings }
  /** No such setting, or not one of its values. */
  | { readonly kind: 'not_accepted'; readonly sentence: string }
  /** Well asked, but it can't be put into effect. */
  | { readonly kind: 'refused'; readonly sentence: string };

/**
 * Puts a change into effect.
 * @returns null, or a sentence: why it can't be. Told of a value that is set again, too.
 */
type SettingEffect = (key: SettingKey, next: Settings) => Promise<string | null> | string | null;

export interface SettingRegister {
  current(): Settings;
  /** @param given a value, or the text a person typed for one. */
  set(key: string, given: unknown): Promise<SettingChange>;
  /** Asked in turn before a change is kept. */
  onChange(effect: SettingEffect): void;
  /** Told once a change is kept. */
  onChanged(listener: (key: SettingKey, settings: Settings, former: Settings) => void): void;
}

/**
 * In the place of a kept value that is not accepted (any more) stands what gives clients least.
 * @param report told its key.
 */
export async function loadSettingRegister(
  store: SettingStore,
  report: (key: SettingKey) => void = () => {},
): Promise<SettingRegister> {
  const effects: SettingEffect[] = [];
  const listeners: ((key: SettingKey, settings: Settings, former: Settings) => void)[] = [];
  let settings = asKept(await store.load(), report);
  const inTurn = oneAtATime();

  async function set(key: string, given: unknown): Promise<SettingChange> {
    const former = settings;
    const next = changed(former, key, given);
    if ('refused' in next) return { kind: 'not_accepted', sentence: next.refused };
    // Checked by `changed`.
    const known = key as SettingKey;
    for (const effect of effects) {
      const problem = await effect(known, next);
      if (problem !== null) return { kind: 'refused', sentence: problem };
    }
    try {
      await store.save(known, next[known]);
    } catch (error) {
      for (const effect of effects) await effect(known, former);
      throw error;
    }
    settings = next;
    for (const listener of listeners) listener(known, next, former);
    return { kind: 'set', key: known, former, settings: next };
  }

  return {
    current: () => settings,
    set: (key, given) => inTurn(() => set(key, given)),
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
