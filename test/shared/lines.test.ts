import { expect, test } from '@jest/globals';
import { LineSplitter, LineTooLong } from '../../shared/lines.ts';

test('lines come out whole from any chunks, with CRLF, and empty ones are dropped', () => {
  const text = Buffer.from('één\r\n\n\r\ntwo\nthree 🐚\nrest');
  for (let size = 1; size <= text.length; size++) {
    const splitter = new LineSplitter(100);
    const lines: string[] = [];
    for (let start = 0; start < text.length; start += size)
      lines.push(...splitter.push(text.subarray(start, start + size)));
    expect(lines).toEqual(['één', 'two', 'three 🐚']);
  }
});

test('a line over the limit ends it, finished or not', () => {
  expect(() => new LineSplitter(4).push(Buffer.from('12345'))).toThrow(LineTooLong);
  expect(() => new LineSplitter(4).push(Buffer.from('12345\n'))).toThrow(LineTooLong);
  expect(new LineSplitter(4).push(Buffer.from('1234\n1234\n'))).toEqual(['1234', '1234']);
});
