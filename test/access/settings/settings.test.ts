/** What settings accept, how they are kept, and that what can't be put into effect is not kept (spec §16). */

import { readFileSync } from 'node:fs';
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

const tableOf = (page: string, heading: RegExp) => {
  const [table = ''] = heading.exec(readFileSync(new URL(`../../../docs/${page}`, import.meta.url), 'utf8')) ?? [];
  return table;
};

/** A value as the specification writes it: `24 KiB`, `90`, or a word in backticks. */
function valueIn(cell: string): unknown {
  const [, number, unit] = /^(\d+)(?: (B|KiB|MiB))?$/.exec(cell) ?? [];
  if (number !== undefined) return Number(number) * (unit === 'MiB' ? 1_048_576 : unit === 'KiB' ? 1_024 : 1);
  return cell.replaceAll('`', '');
}

test('the settings are those of the specification, with what they take and their defaults', () => {
  const rows = [
    ...tableOf('specification.md', /^### Settings\n.*?^### /ms).matchAll(/^\| `([\w.]+)` \| (.+) \| (.+) \|$/gm),
  ].map(([, key = '', takes = '', byDefault = '']) => ({ key, takes, byDefault }));
  expect(rows.map(({ key }) => key)).toEqual(settingKeys);
  for (const { key, takes, byDefault } of rows) {
    const { kind, default: value } = settingSpecs[key as SettingKey];
    expect([key, kind.read(valueIn(byDefault))]).toEqual([key, value]);
    const [, least, most, zero] = /^(.+) to (.+?)(?:, (0 for .+))?$/.exec(takes) ?? [];
    if (least === undefined || most === undefined) {
      expect([key, takes.match(/\w+/g)]).toEqual([key, kind.accepts.replace('one of ', '').split(/, | or /)]);
    } else {
      const range = `from ${valueIn(least)} to ${valueIn(most)}${zero === undefined ? '' : `, or ${zero}`}`;
      expect([key, kind.accepts.replace(/^a whole number(?: of \w+)? /, '')]).toEqual([key, range]);
    }
  }
});

test('the guide names each setting, by itself or with others (`query.*`), and no other', () => {
  const cells = [...tableOf('guide.md', /^\| Setting \|.*?\n\n/ms).matchAll(/^\| (`.*?) \|/gm)].map(
    ([, cell]) => cell ?? '',
  );
  const named = cells.flatMap(cell => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));
  const meant = named.map(name =>
    settingKeys.filter(key => (name.endsWith('.*') ? key.startsWith(name.slice(0, -1)) : key === name)),
  );
  expect(named.filter((_, at) => meant[at]?.length === 0)).toEqual([]);
  expect(meant.flat().sort()).toEqual([...settingKeys].sort());
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
  ])('%s takes %j', async (key, given, value) => {
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
  ])('%s refuses %j, naming what it takes', async (key, given, sentence) => {
    const store = kept();
    const register = await loadSettingRegister(store);
    const said = await set(register, key, given);
    expect(said).toContain(sentence);
    expect(said.length).toBeLessThan(500);
    expect(register.current()).toEqual(defaultSettings);
    expect(store.saved.size).toBe(0);
  });

  test('a default above its maximum is refused; a lowered maximum takes its default along', async () => {
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
  });
});

describe('the register', () => {
  test('takes up what was kept, and for what is not accepted what gives clients least', async () => {
    const strange: string[] = [];
    const store = kept({ port: 28_000, enabled: 'perhaps', 'results.maxRows': 100, paused: true, 'of.later': 1 });
    const register = await loadSettingRegister(store, key => strange.push(key));
    expect(register.current()).toEqual({ ...defaultSettings, enabled: false, port: 28_000, 'results.maxRows': 100 });
    expect(strange).toEqual(['enabled']);
  });

  test('keeps only what could be put into effect, and tells of it afterwards', async () => {
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
