/** Compares splicing into JSON text with JSON.parse, over arbitrary values and spellings. */

import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { firstMember, memberSpan, wholeObject, withMember } from '../../bridge/client/json-text.ts';

const objects = fc.dictionary(fc.string(), fc.jsonValue());
const spaces = fc.constantFrom(undefined, 1, '\t');

test('a member is where JSON.parse finds it', () => {
  fc.assert(
    fc.property(objects, fc.string(), fc.jsonValue(), spaces, (object, name, value, space) => {
      const text = JSON.stringify({ ...object, [name]: value }, null, space);
      const span = memberSpan(text, wholeObject(text), name);
      expect(span && JSON.parse(text.slice(span.start, span.end))).toEqual(JSON.parse(text)[name]);
    }),
  );
});

test('an added member is last and wins, and all bytes before it stay', () => {
  fc.assert(
    fc.property(objects, fc.string(), fc.jsonValue(), spaces, (object, name, value, space) => {
      const text = JSON.stringify(object, null, space);
      const spliced = withMember(text, wholeObject(text), `${JSON.stringify(name)}:${JSON.stringify(value)}`);
      const expected = JSON.parse(JSON.stringify(Object.fromEntries([...Object.entries(object), [name, value]])));
      expect(JSON.parse(spliced)).toEqual(expected);
      expect(spliced.startsWith(text.slice(0, -1))).toBe(true);
    }),
  );
});

test('names spelled with escapes, names given twice, and text that looks like structure', () => {
  const text =
    ' {"a":"}\\\\\\"{,\\"params\\":1","\\u0070arams":{"x":[{"]":"["}]},"params" : [ 9007199254740993 ] , "z":null} ';
  const span = memberSpan(text, wholeObject(text), 'params');
  expect(span && text.slice(span.start, span.end)).toBe('[ 9007199254740993 ]');
  const last = memberSpan(text, wholeObject(text), 'z');
  expect(last && text.slice(last.start, last.end)).toBe('null');
  expect(memberSpan(text, wholeObject(text), 'x')).toBeNull();
  expect(firstMember(text, wholeObject(text), ['z', 'params'])).toBe('params');
});
