/** Ids that no double holds go up as texts and come back as they were. */

import { describe, expect, test } from '@jest/globals';
import { exactNumbers } from '../../bridge/client/exact-numbers.ts';
import { readLine } from '../../bridge/client/message.ts';

function sent(line: string) {
  const read = readLine(line);
  if (read.kind !== 'request') throw new Error(read.kind);
  return exactNumbers(read.request, line);
}
const request = (id: string, progressToken = '"p"') =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"_meta":{"progressToken":${progressToken}}}}`;

describe.each(['9007199254740993', '-9007199254740993', '1.5', '1e400', '123456789012345678901234567890'])(
  '%s',
  number => {
    test('as the id', () => {
      const { body, restore } = sent(request(number));
      expect(JSON.parse(body).id).toBe(`number ${number}`);
      expect(restore(`{"id":"number ${number}","result":{}}`)).toBe(`{"id":${number},"result":{}}`);
      expect(restore('{"id":"number 1","result":{}}')).toBe('{"id":"number 1","result":{}}');
    });

    test('as the progress token', () => {
      const { body, restore } = sent(request('1', number));
      expect(JSON.parse(body)).toMatchObject({ id: 1, params: { _meta: { progressToken: `number ${number}` } } });
      const told = (token: string) => `{"method":"notifications/progress","params":{"progressToken":${token}}}`;
      expect(restore(told(`"number ${number}"`))).toBe(told(number));
    });
  },
);

test.each(['1', '-1', '"x"', '9007199254740991', '"9007199254740993"'])('%s passes as it is', id => {
  const line = request(id, id);
  const { body, restore } = sent(line);
  expect(body).toBe(line);
  expect(restore('{"id":"number 1"}')).toBe('{"id":"number 1"}');
});
