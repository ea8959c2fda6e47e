/**
 * Which values settings accept and how they are stored. A value that can't take effect isn't stored
 * (spec §16).
 */

import { describe, expect, test } from '@jest/globals';
import { loadSettingRegister, type SettingRegister } from '../../../daemon/access/settings/setting-register.ts';
import {
  defaultSettings,
  type SettingKey,
  settingKeys,
  settingSpecs,
} from '../../../daemon/access/settings/settings.ts';
import { queryLimitsOf } from '../../../daemon/statement/query-limits.ts';

const kept = (values: Record<string, unknown> = {}) => {
  const saved = new Map<string, unknown>(Object.entries(values));
  return { saved, load: async () => saved, save: async (key: string, value: unknown) => void saved.set(key, value) };
};
const set = async (register: SettingRegister, key: string, value: unknown): Promise<string> => {
  const change = await register.set(key, value);
  return change.kind === 'set' ? 'set' : change.sentence;
};

/** The form's values are accepted; those just outside them aren't. */
function offered(key: SettingKey): readonly (readonly [unknown, boolean])[] {
  const { kind, choices, least, most, zeroMeans } = settingSpecs[key].takes.form;
  if (kind === 'switch') return [true, false].map(value => [value, true]);
  if (kind === 'choice') return [...choices.map(word => [word, true] as const), ['sometimes', false]];
  if (kind === 'text') {
    // A place begins as one.
    const longest = (key === 'log.forward' ? '/' : 'x').padEnd(Number(most), 'x');
    const hidden = ['\n', '\u202e', '\u2028', '\u200b'].map(text => [`a${text}`, false] as const);
    return [['', true], [longest, true], [`${longest}x`, false], [1, false], ...hidden];
  }
  const [low, high] = [Number(least), Number(most)];
  return [
    [low, true],
    [high, true],
    [high + 1, false],
    [low - 1, low - 1 === 0 && zeroMeans !== null],
    [0, low === 0 || zeroMeans !== null],
  ];
}

test.each(settingKeys)(
  '%s accepts its form’s values and its default, and the fallback for an unusable stored value',
  key => {
    const { takes, default: byDefault, ifUnreadable, label, about } = settingSpecs[key];
    for (const [value, isTaken] of offered(key)) expect([value, takes.read(value) !== null]).toEqual([value, isTaken]);
    expect([takes.read(byDefault), takes.read(ifUnreadable)]).toEqual([byDefault, ifUnreadable]);
    expect([label, about].map(text => text.trim().length > 0)).toEqual([true, true]);
  },
);

test('those of a group are side by side', () => {
  const groups = settingKeys.map(key => settingSpecs[key].group);
  expect(groups.filter((group, at) => group !== groups[at - 1])).toEqual([...new Set(groups)]);
});

describe('values', () => {
  test.each<[string, unknown, unknown]>([
    ['port', '28000', 28_000],
    ['port', 28_000, 28_000],
    ['port.fallback', 'false', false],
    ['enabled', false, false],
    ['history', 'off', 'off'],
    ['history', 'true', 'on'],
    ['history', false, 'off'],
    ['limits.requestsPerMinute', '0', 0],
    ['limits.concurrentRequests', 0, 0],
    ['approval.rememberHours', '24', 24],
    ['requests.notify', 'off', false],
    ['log.level', 'debug', 'debug'],
  ])('%s accepts %j', async (key, given, value) => {
    const store = kept();
    const register = await loadSettingRegister(store);
    expect(await set(register, key, given)).toBe('set');
    expect(register.current()).toMatchObject({ [key]: value });
    expect(store.saved).toEqual(new Map([[key, value]]));
  });

  test.each<[string, unknown, string]>([
    ['prot', '1', 'There is no setting "prot". Did you mean port?'],
    ['colour', '1', 'There is no setting "colour"; there are port, port.fallback, enabled,'],
    ['toString', '1', 'There is no setting "toString"'],
    ['__proto__', '1', 'There is no setting "__proto__"'],
    ['paused', 'false', 'There is no setting "paused"'],
    ['port', '0', 'port takes a whole number from 1 to 65535, not "0".'],
    ['port', '65536', 'port takes a whole number from 1 to 65535'],
    ['port', '8e3', 'port takes a whole number'],
    ['port', ' 80', 'port takes a whole number'],
    ['port', 80.5, 'port takes a whole number'],
    ['port', true, 'port takes a whole number'],
    ['enabled', 'yes', 'enabled takes true or false, not "yes".'],
    ['enabled', 1, 'enabled takes true or false'],
    ['keychain', 'file', 'keychain takes auto or required'],
    ['limits.requestsPerMinute', '-1', 'from 1 to 100000, or 0 for no limit'],
    ['results.maxRows', '20000', 'results.maxRows takes a whole number of rows from 1 to 10000'],
    ['query.maxSeconds', '301', 'query.maxSeconds takes a whole number of seconds from 1 to 300'],
    ['requests.notify', 'never', 'requests.notify takes true or false, not "never".'],
    ['log.level', 'trace', 'log.level takes one of error, warn, info, debug'],
    ['history', 'x'.repeat(10_000), 'history takes on or off'],
  ])('%s refuses %j and names what it accepts', async (key, given, sentence) => {
    const store = kept();
    const register = await loadSettingRegister(store);
    const said = await set(register, key, given);
    expect(said).toContain(sentence);
    expect(said.length).toBeLessThan(500);
    expect(register.current()).toEqual(defaultSettings);
    expect(store.saved.size).toBe(0);
  });

  test('a default above its maximum is refused; a lowered maximum lowers its default too', async () => {
    const register = await loadSettingRegister(kept());
    expect(await set(register, 'results.maxRows', 100)).toBe('set');
    expect(queryLimitsOf(register.current())).toMatchObject({ defaultRows: 100, maxRows: 100 });
    expect(await set(register, 'results.defaultRows', 101)).toContain(
      "can't be more than results.maxRows, which is 100",
    );
    expect(await set(register, 'query.maxSeconds', 5)).toBe('set');
    expect(queryLimitsOf(register.current())).toMatchObject({ defaultSeconds: 5, maxSeconds: 5 });
    expect(await set(register, 'results.maxRows', 10_000)).toBe('set');
    expect(queryLimitsOf(register.current())).toMatchObject({ defaultRows: 500 });
    expect(await set(register, 'results.maxRows', 100)).toBe('set');
    expect(await set(register, 'results.defaultRows', 100)).toBe('set');
  });
});

describe('the register', () => {
  test('reads stored values, and replaces unacceptable ones by what gives clients least', async () => {
    const strange: string[] = [];
    const store = kept({ port: 28_000, enabled: 'perhaps', 'results.maxRows': 100, paused: true, 'of.later': 1 });
    const register = await loadSettingRegister(store, key => strange.push(key));
    expect(register.current()).toEqual({ ...defaultSettings, enabled: false, port: 28_000, 'results.maxRows': 100 });
    expect(strange).toEqual(['enabled']);
  });

  test('stores only what took effect, and reports it afterwards', async () => {
    const store = kept();
    const register = await loadSettingRegister(store);
    const told: unknown[] = [];
    register.onChange((key, next) => (key === 'port' && next.port === 1 ? 'Port 1 is taken.' : null));
    register.onChanged((key, settings, former) => told.push([key, settings.port, former.port, store.saved.get(key)]));
    expect(await register.set('port', 1)).toEqual({ kind: 'refused', sentence: 'Port 1 is taken.' });
    expect([register.current().port, store.saved.size, told]).toEqual([27_432, 0, []]);
    await register.set('port', 2);
    expect(told).toEqual([['port', 2, 27_432, 2]]);
  });

  test('changes one at a time, each on top of the last', async () => {
    const register = await loadSettingRegister(kept());
    let running = 0;
    register.onChange(async () => {
      expect(++running).toBe(1);
      await new Promise(resolve => setTimeout(resolve, 5));
      running -= 1;
      return null;
    });
    await Promise.all([register.set('port', 2), register.set('history', 'off'), register.set('port', 3)]);
    expect(register.current()).toMatchObject({ port: 3, history: 'off' });
  });

  test('a move to the keychain that waits for a person holds up no other change, and undoes none', async () => {
    const store = kept();
    const register = await loadSettingRegister(store);
    let end = (): void => {};
    const moved = new Promise<void>(resolve => {
      end = resolve;
    });
    register.onChange(async key => (key === 'keychain' ? moved.then(() => null) : null));
    const moving = set(register, 'keychain', 'required');
    expect(await set(register, 'enabled', false)).toBe('set');
    end();
    expect(await moving).toBe('set');
    expect(register.current()).toMatchObject({ enabled: false, keychain: 'required' });
    expect(store.saved).toEqual(
      new Map<string, unknown>([
        ['enabled', false],
        ['keychain', 'required'],
      ]),
    );
  });

  test('a store that fails changes nothing after it, and the next change works', async () => {
    const store = kept();
    let fails = true;
    const register = await loadSettingRegister({
      ...store,
      save: async (key, value) => {
        if (fails) throw new Error('no space left');
        return store.save(key, value);
      },
    });
    await expect(register.set('port', 2)).rejects.toThrow('no space left');
    fails = false;
    expect(await set(register, 'history', 'off')).toBe('set');
  });
});
