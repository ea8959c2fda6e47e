/**
 * The variables that the daemon removes from its own environment: drivers, Node's children and the
 * system's resolver would read them.
 */

import { expect, test } from '@jest/globals';
import { forgetForeignSettings } from '../../daemon/processes/environment.ts';

test('variables that say where a saved host is, or as whom to dial, are gone; similar names stay', () => {
  const foreign = ['PGHOST', 'MYSQL_PWD', 'NODE_OPTIONS', 'LOCALDOMAIN', 'RES_OPTIONS', 'HOSTALIASES'];
  const own = ['HOME', 'PATH', 'SALLYPORT_HOME', 'MY_LOCALDOMAIN', 'RES_OPTIONS_2'];
  const environment: Record<string, string | undefined> = Object.fromEntries(
    [...foreign, ...own].map(name => [name, 'x']),
  );
  forgetForeignSettings(environment);
  expect(Object.keys(environment)).toEqual(own);
});
