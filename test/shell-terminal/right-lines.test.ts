/** What `sallyport prove` says of rights: indented where it breaks, and never only a superuser's end. */

import { expect, test } from '@jest/globals';
import { rightLines } from '../../shell-terminal/proof/walls.ts';
import type { Terminal } from '../../shell-terminal/terminal.ts';

const narrow = { stdout: { isTTY: true, columns: 60 }, environment: { NO_COLOR: '1' } } as unknown as Terminal;
const right = { more: 0, opens: [] };

test('each breaks inside its own indentation, and another role is named for one that may do everything', () =>
  expect(
    rightLines(narrow, 'My shop', [
      { ...right, code: 'everything', on: ['postgres'], revoke: 'ALTER ROLE "postgres" NOSUPERUSER' },
      { ...right, code: 'change_rows', on: ['public.customers', 'public.orders', 'public.reviews'], revoke: null },
    ]),
  ).toEqual([
    '  It may do everything on the server, as postgres.',
    "    `sallyport connections role 'My shop'` prints the SQL",
    '    for a role that may not.',
    '    ALTER ROLE "postgres" NOSUPERUSER;',
    '  It may change rows in public.customers, public.orders,',
    '  public.reviews.',
    '    Another role that owns nothing ends it.',
  ]));
