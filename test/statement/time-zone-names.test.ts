/**
 * Which calls of CONVERT_TZ need names that the server may not know; the journey of server messages
 * has the resulting sentence.
 */

import { expect, test } from '@jest/globals';
import { zonesIn } from '../../daemon/engines/mysql/dialect/time-zone-names.ts';

test.each([
  ["select convert_tz(at, '+00:00', '-5:00') from t", []],
  ["select convert_tz(at, 'SYSTEM', '+02:00') from t", []],
  ["select count(*) from t where CONVERT_TZ (at, 'UTC', 'Europe/Berlin') > now()", ['UTC', 'Europe/Berlin']],
  [
    "select convert_tz(ifnull(at, now()), '+00:00', \"Europe/Berlin\"), convert_tz(b, '+00:00', zone) from t",
    ['Europe/Berlin', null],
  ],
  ["select convert_tz(replace(s, '(', ','), '+00:00', concat('Europe/', city)) from t", [null]],
  ["select convert_tz(convert_tz(at, '+00:00', 'Asia/Tokyo'), '+09:00', ?) from t", [null, 'Asia/Tokyo']],
  ['select convert_tz', []],
  ["select convert_tz(at, '+00:00", []],
  ['select convert_tz(at', []],
])('%s', (sql, zones) => {
  expect(zonesIn(sql)).toEqual(zones);
});
