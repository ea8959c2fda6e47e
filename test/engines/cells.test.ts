/**
 * What each engine's values become (spec §8), also if cut at the limit: the functions alone.
 * engines.test.ts has them with real servers.
 */

import { describe, expect, test } from '@jest/globals';
import { RowReader } from '../../daemon/engines/mysql/wire/rows.ts';
import { resultColumn } from '../../daemon/engines/mysql/wire/values.ts';
import { readRow } from '../../daemon/engines/postgres/wire/rows.ts';
import { cellKind } from '../../daemon/engines/postgres/wire/values.ts';
import { bindingsOf } from '../../daemon/engines/sqlite/child/parameters.ts';
import { isFlatArray } from '../../daemon/engines/sqlite/child/protocol.ts';
import { rowOf, type SqliteValue } from '../../daemon/engines/sqlite/child/values.ts';
import { shownCells } from './collecting-sink.ts';

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
    expect(shownCells(rowOf([value, 'next'], cellBytes, notes()))).toEqual([cell, 'next']);
  });

  test.each([
    ['[]', true],
    ['[1,"a","\\"",null,-1.5e+20,true,""]', true],
    [String.raw`["\\","],[","\u0001"]`, true],
    ['[1],"isError":[true]', false],
    ['[[1]]', false],
    ['[{"a":1}]', false],
    ['["a"', false],
    ['["a]', false],
    [String.raw`["a\"]`, false],
    ['["a"b]', false],
    ['[1,]', false],
    ['[,1]', false],
    ['[', false],
  ])('%s as a row of a child: %p', (line, isRow) => {
    expect(isFlatArray(line)).toBe(isRow);
  });

  test('as many values as parameters, anonymous and numbered', () => {
    expect(bindingsOf('select ?, ?1, ?', ['a', 'b'])).toEqual(['a', 'b']);
    expect(bindingsOf(`select '?', "?", [?] -- ?`, [])).toEqual([]);
    for (const values of [[], [1], [1, 2, 3]]) expect(bindingsOf('select ?, ?', values)).toHaveProperty('kind');
    expect(bindingsOf('select :name', ['a'])).toHaveProperty('kind');
    expect(bindingsOf('select ?', [true])).toEqual([1n]);
  });
});

describe('postgres', () => {
  const read = (kind: number, text: string) => {
    const bytes = Buffer.from(text);
    const head = Buffer.alloc(6);
    head.writeUInt16BE(1);
    head.writeInt32BE(bytes.length, 2);
    const shape = { kinds: [cellKind(kind)], cellBytes, notes: { invalidUtf8: false } };
    const body = Buffer.concat([head, bytes]);
    return shownCells(readRow(body, 0, body.length, shape, 'whole'));
  };
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
    expect(read(kind, text)).toEqual([cell]);
  });
});

describe('mysql', () => {
  const read = (type: number, characterSet: number, text: string) => {
    const bytes = Buffer.from(text);
    const more = { length: 0, flags: 0, decimals: 0, extendedType: null, extendedFormat: null };
    const column = resultColumn({ name: 'a', type, characterSet, ...more });
    const row = Buffer.concat([Buffer.from([bytes.length]), bytes]);
    const reader = () => new RowReader([column], cellBytes, { invalidUtf8: false });
    const pieces = reader();
    const last = row.length - 1;
    for (let at = 0; at < last; at += 1) pieces.piece(row, at, at + 1, false);
    return [reader().whole(row, 0, row.length), pieces.piece(row, last, row.length, true)];
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
    for (const row of read(type, characterSet, text)) expect(row && shownCells(row)).toEqual([cell]);
  });
});
