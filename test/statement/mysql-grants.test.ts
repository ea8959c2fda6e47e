/** What SHOW GRANTS says that an account may do; text that isn't understood grants nothing. */

import { expect, test } from '@jest/globals';
import { hasPrivilege } from '../../daemon/engines/mysql/follow/grants.ts';

test.each<[string, boolean]>([
  ['GRANT ALL PRIVILEGES ON *.* TO `root`@`%` WITH GRANT OPTION', true],
  ['GRANT SELECT, TRIGGER ON *.* TO `a`@`%`', true],
  ['GRANT TRIGGER ON `my_shop`.* TO `a`@`%`', true],
  ['GRANT TRIGGER ON `my\\_shop`.* TO `a`@`%`', true],
  ['GRANT TRIGGER ON `my%`.* TO `a`@`%`', true],
  ['GRANT TRIGGER ON `my_shop`.`or``ders` TO `a`@`%`', true],
  [`GRANT TRIGGER ON "my_shop"."or\`ders" TO "a"@"%"`, true],
  ['GRANT TRIGGER ON `my.shop`.* TO `a`@`%`', false],
  ['GRANT TRIGGER ON `my\\_sho`.* TO `a`@`%`', false],
  ['GRANT TRIGGER ON `my_shop`.`other` TO `a`@`%`', false],
  ['GRANT SELECT (`TRIGGER`), INSERT ON `my_shop`.`or``ders` TO `a`@`%`', false],
  ['GRANT `TRIGGER` TO `a`@`%`', false],
  ["GRANT PROXY ON ''@'%' TO 'root'@'%' WITH GRANT OPTION", false],
  ['GRANT EXECUTE ON PROCEDURE `my_shop`.`or``ders` TO `a`@`%`', false],
  ['REVOKE TRIGGER ON `my_shop`.* FROM `a`@`%`', false],
])('%s', (line, isGranted) => {
  expect(hasPrivilege([line], 'TRIGGER', { schema: 'my_shop', name: 'or`ders' })).toBe(isGranted);
});

test("MySQL's partial REVOKE reduces what all schemas have", () => {
  const grants = ['GRANT SELECT, TRIGGER ON *.* TO `a`@`%`', 'REVOKE TRIGGER ON `shop`.* FROM `a`@`%`'];
  expect(hasPrivilege(grants, 'TRIGGER', { schema: 'shop', name: null })).toBe(false);
  expect(hasPrivilege(grants, 'TRIGGER', { schema: 'other', name: null })).toBe(true);
});

test('a privilege on one table doesn’t count for the whole schema', () => {
  expect(hasPrivilege(['GRANT SELECT ON `shop`.`a` TO `a`@`%`'], 'SELECT', { schema: 'shop', name: null })).toBe(false);
});
