/** How the value of a setting is read, whether typed by a person or sent by a shell: what is accepted, in words and as a check. */

export type SettingValue = string | number | boolean;

export interface SettingKind<Value extends SettingValue> {
  /** Completes "it takes …". */
  readonly accepts: string;
  /** Null for what is not accepted. */
  read(given: unknown): Value | null;
}

export function yesOrNo(): SettingKind<boolean> {
  return {
    accepts: 'true or false',
    read(given) {
      if (typeof given === 'boolean') return given;
      if (given === 'true' || given === 'on') return true;
      return given === 'false' || given === 'off' ? false : null;
    },
  };
}

/** Kept as its word; what is said of other settings is understood. */
export function onOrOff(): SettingKind<'on' | 'off'> {
  const words = yesOrNo();
  return {
    accepts: 'on or off',
    read(given) {
      const is = words.read(given);
      return is === null ? null : is ? 'on' : 'off';
    },
  };
}

export function oneOf<const Word extends string>(...words: readonly Word[]): SettingKind<Word> {
  return {
    accepts: words.length === 2 ? words.join(' or ') : `one of ${words.join(', ')}`,
    read: given => words.find(word => word === given) ?? null,
  };
}

/** As people say it; '' for a bare number. One lower-case word: the app reads it out of `accepts`, and has a label for each. */
type Unit = '' | 'rows' | 'bytes' | 'seconds' | 'hours' | 'days';

/** @param zeroMeans what 0 stands for, where it is accepted. */
export function wholeNumber(
  least: number,
  most: number,
  unit: Unit = '',
  zeroMeans: string | null = null,
): SettingKind<number> {
  const what = unit === '' ? 'a whole number' : `a whole number of ${unit}`;
  const zero = zeroMeans === null ? '' : `, or 0 for ${zeroMeans}`;
  return {
    accepts: `${what} from ${least} to ${most}${zero}`,
    read(given) {
      const value = typeof given === 'string' && /^\d{1,12}$/.test(given) ? Number(given) : given;
      if (typeof value !== 'number' || !Number.isInteger(value)) return null;
      if (value === 0 && zeroMeans !== null) return 0;
      return value >= least && value <= most ? value : null;
    },
  };
}
