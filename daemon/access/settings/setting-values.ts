/**
 * Reads a setting's value, typed by a person or sent by a shell: what is accepted, in words and as
 * a check.
 */

export type SettingValue = string | number | boolean;

export interface SettingKind<Value extends SettingValue> {
  /** Completes "it takes …". */
  readonly accepts: string;
  /** The same for a form, and for the documentation's tables. */
  readonly form: SettingForm;
  /** @returns null if it isn't accepted. */
  read(given: unknown): Value | null;
}

/** How a value is edited. Members of other kinds are empty. */
export interface SettingForm {
  readonly kind: 'switch' | 'choice' | 'number' | 'text';
  readonly choices: readonly string[];
  readonly least: number | null;
  readonly most: number | null;
  readonly unit: string | null;
  /** What 0 means, if it is accepted although it is out of range. */
  readonly zeroMeans: string | null;
}

const noForm = { choices: [], least: null, most: null, unit: null, zeroMeans: null } as const;

export function yesOrNo(): SettingKind<boolean> {
  return {
    accepts: 'true or false',
    form: { ...noForm, kind: 'switch' },
    read(given) {
      if (typeof given === 'boolean') return given;
      if (given === 'true' || given === 'on') return true;
      return given === 'false' || given === 'off' ? false : null;
    },
  };
}

/** Stored as its word; the words of other switches are understood. */
export function onOrOff(): SettingKind<'on' | 'off'> {
  const words = yesOrNo();
  return {
    accepts: 'on or off',
    form: { ...noForm, kind: 'choice', choices: ['on', 'off'] },
    read(given) {
      const is = words.read(given);
      return is === null ? null : is ? 'on' : 'off';
    },
  };
}

export function oneOf<const Word extends string>(...words: readonly Word[]): SettingKind<Word> {
  return {
    accepts: words.length === 2 ? words.join(' or ') : `one of ${words.join(', ')}`,
    form: { ...noForm, kind: 'choice', choices: words },
    read: given => words.find(word => word === given) ?? null,
  };
}

const isShown = /^[^\p{C}\p{Zl}\p{Zp}]*$/u;

/**
 * A text of one line, without characters that reorder or hide it; empty for none.
 * @param what it is: `a command`.
 */
export function lineOf(what: string, most: number, form = /^/): SettingKind<string> {
  return {
    accepts: `${what} of at most ${most} characters, or nothing`,
    form: { ...noForm, kind: 'text', most },
    read(given) {
      if (typeof given !== 'string' || given.length > most || !isShown.test(given)) return null;
      return given === '' || form.test(given) ? given : null;
    },
  };
}

/** @param unit for people; null for a bare number. */
export function wholeNumber(
  least: number,
  most: number,
  unit: string | null = null,
  zeroMeans: string | null = null,
): SettingKind<number> {
  const what = unit === null ? 'a whole number' : `a whole number of ${unit}`;
  const zero = zeroMeans === null ? '' : `, or 0 for ${zeroMeans}`;
  return {
    accepts: `${what} from ${least} to ${most}${zero}`,
    form: { kind: 'number', choices: [], least, most, unit, zeroMeans },
    read(given) {
      const value = typeof given === 'string' && /^\d{1,12}$/.test(given) ? Number(given) : given;
      if (typeof value !== 'number' || !Number.isInteger(value)) return null;
      if (value === 0 && zeroMeans !== null) return 0;
      return value >= least && value <= most ? value : null;
    },
  };
}
