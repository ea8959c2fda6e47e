/**
 * The description of one setting, and the usual rules for which change gives AI clients more
 * access.
 */

import type { Clause, Text } from '../../../shared/texts.ts';
import type { SettingKind, SettingValue } from './setting-values.ts';

export interface SettingSpec<Value extends SettingValue> {
  /** Its label in a form. */
  readonly label: Text;
  /** Its heading in a form. */
  readonly group: 'Server' | 'Safety' | 'Results' | 'History and log';
  /** What it decides: for people, in a form, in the terminal and in the documentation. */
  readonly about: Clause;
  readonly takes: SettingKind<Value>;
  readonly default: Value;
  /**
   * Which change gives AI clients more access, or records less of what they did: the owner may have
   * to confirm it (spec §11).
   */
  readonly privilegeIncrease: IncreaseChange<Value> | null;
  /**
   * Used if the stored value can't be read: of its possible values, the one that gives clients
   * least.
   */
  readonly ifUnreadable: Value;
}

interface IncreaseChange<Value> {
  /** Completes "more access where it is …". */
  readonly when: string;
  holds(from: Value, to: Value): boolean;
}

/** @param given `ifUnreadable` may be left out if it is the default. */
export function setting<Value extends SettingValue>(
  given: Omit<SettingSpec<NoInfer<Value>>, 'takes' | 'ifUnreadable'> & {
    readonly takes: SettingKind<Value>;
    readonly ifUnreadable?: NoInfer<Value>;
  },
): SettingSpec<Value> {
  return { ifUnreadable: given.default, ...given };
}

export const whenChanged: IncreaseChange<SettingValue> = { when: 'changed', holds: () => true };
export const whenRaised: IncreaseChange<number> = { when: 'raised', holds: (from, to) => to > from };
export const whenLowered: IncreaseChange<number> = { when: 'lowered', holds: (from, to) => to < from };

/** For a setting in which 0 means no limit. */
export const whenLimitRises: IncreaseChange<number> = {
  when: 'raised, or set to 0',
  holds: (from, to) => from !== 0 && (to === 0 || to > from),
};

export function whenSetTo(value: SettingValue): IncreaseChange<SettingValue> {
  return { when: `set to \`${value}\``, holds: (_, to) => to === value };
}
