/** What a value of each engine becomes (spec §8), cut at its limit too: the functions alone; beside real servers it stands in engines.test.ts. */

import { describe, expect, test } from '@jest/globals';
import { readCell as mysqlCell, resultColumn } from '../../daemon/databases/mysql/values.ts';
import { cellKind, readCell as postgresCell } from '../../daemon/databases/postgres/values.ts';
import { bindingsOf } from '../../daemon/databases/sqlite/parameters.ts';
import { cellOf, type SqliteValue } from '../../daemon/databases/sqlite/values.ts';

const cellBytes = 12;
const most = 9007199254740991;

describe('sqlite', () => {
  const notes = () => ({ replacementCharacter: false, longestBytes: 0 });
  test.each<[SqliteValue, unknown]>([
    [null, null],
    [1n, 1],
    [BigInt(most), most],
    [-BigInt(most), -most],
    [BigInt(most) + 1n, '9007199254740992'],
    [-BigInt(most) - 1n, '-9007199254740992'],
    [1.5, 1.5],
    [Number.POSITIVE_INFINITY, 'Infinity'],
    ['twelve bytes', 'twelve bytes'],
    ['thirteen byte', { kept: 'thirteen byt', fullBytes: 13 }],
    ['eleven charé', { kept: 'eleven char', fullBytes: 13 }],
    [Buffer.from('abcde'), '\\x6162636465'],
    [Buffer.from('abcdef'), { kept: '\\x6162636465', fullBytes: 6 }],
  ])('%p', (value, cell) => {
    expect(cellOf(value, cellBytes, notes())).toEqual(cell);
  });

  test('as many values as parameters, anonymous and numbered', () => {
    expect(bindingsOf('select ?, ?1, ?', ['a', 'b'])).toEqual([{ 1: 'a', 2: 'b' }, ['b']]);
    expect(bindingsOf(`select '?', "?", [?] -- ?`, [])).toEqual([]);
    for (const values of [[], [1], [1, 2, 3]]) expect(bindingsOf('select ?, ?', values)).toHaveProperty('kind');
    expect(bindingsOf('select :name', ['a'])).toHaveProperty('kind');
    expect(bindingsOf('select ?', [true])).toEqual([{ 1: 1n }, [1n]]);
  });
});

describe('postgres', () => {
  const read = (kind: number, text: string) =>
    postgresCell(cellKind(kind), Buffer.from(text), Buffer.byteLength(text), cellBytes, { invalidUtf8: false });
  test.each([
    [23, '-7', -7],
    [20, '9007199254740993', { kept: '900719925474', fullBytes: 16 }],
    [20, '1', '1'],
    [701, 'NaN', 'NaN'],
    [701, '-0', '-0'],
    [16, 't', true],
    [16, 'f', false],
    [17, '\\x6162', '\\x6162'],
    [17, '\\x616263646566', { kept: '\\x6162636465', fullBytes: 6 }],
    [25, 'twelve bytes', 'twelve bytes'],
    [25, 'thirteen byte', { kept: 'thirteen byt', fullBytes: 13 }],
    [25, 'eleven charé', { kept: 'eleven char', fullBytes: 13 }],
  ])('type %d: %s', (kind, text, cell) => {
    expect(read(kind, text)).toEqual(cell);
  });
});

describe('mysql', () => {
  const read = (type: number, characterSet: number, text: string) => {
    const bytes = Buffer.from(text);
    const more = { length: 0, flags: 0, decimals: 0, extendedType: null, extendedFormat: null };
    const { form } = resultColumn({ name: 'a', type, characterSet, ...more });
    return mysqlCell(form, bytes, 0, bytes.length, cellBytes, { invalidUtf8: false });
  };
  const [binary, utf8] = [63, 45];
  test.each([
    [3, binary, '-7', -7],
    [8, binary, '9007199254', '9007199254'],
    [253, utf8, 'twelve bytes', 'twelve bytes'],
    [253, utf8, 'thirteen byte', { kept: 'thirteen byt', fullBytes: 13 }],
    [253, utf8, 'eleven charé', { kept: 'eleven char', fullBytes: 13 }],
    [253, binary, 'abcde', '\\x6162636465'],
    [253, binary, 'abcdef', { kept: '\\x6162636465', fullBytes: 6 }],
    [252, utf8, 'text', 'text'],
    [245, binary, '{"a":1}', '{"a":1}'],
    [16, binary, '\u0001', '\\x01'],
  ])('type %d, character set %d: %s', (type, characterSet, text, cell) => {
    expect(read(type, characterSet, text)).toEqual(cell);
  });
});
