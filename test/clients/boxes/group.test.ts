/**
 * How a box's folder becomes a group's: by the system's own chgrp or by a number, whatever the PATH
 * says.
 */

import { chmodSync, lstatSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { giveToGroup } from '../../../daemon/clients/boxes/group.ts';
import { needsRoot } from '../../needs.ts';

let folder: string;
let path: string | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sallyport-group-'));
  path = process.env.PATH;
});
afterEach(() => {
  process.env.PATH = path;
  rmSync(folder, { recursive: true, force: true });
});

needsRoot.test('by its name and by its number, with another chgrp first in PATH', async () => {
  const planted = join(folder, 'chgrp');
  writeFileSync(planted, `#!/bin/sh\ntouch ${folder}/ran\n`);
  chmodSync(planted, 0o755);
  process.env.PATH = folder;
  for (const [group, gid] of [
    ['daemon', 1],
    ['2', 2],
  ] as const) {
    expect(await giveToGroup(folder, group)).toBeNull();
    expect(lstatSync(folder).gid).toBe(gid);
  }
  expect(lstatSync(join(folder, 'ran'), { throwIfNoEntry: false })).toBeUndefined();
});

test('a name where no chgrp is: says what to do, and a number needs none', async () => {
  expect(await giveToGroup(folder, 'agents', ['/nowhere/chgrp'])).toBe(
    "its folder can't be given to the group agents by its name, as /nowhere/chgrp is missing; name the group by its number",
  );
  expect(await giveToGroup(folder, String(process.getgid?.()), ['/nowhere/chgrp'])).toBeNull();
});

test.each(['no-such-group', '99999999999999999999', '4294967295', '0x1', '1e1'])(
  'a group that there is not: %s',
  async group => {
    expect(await giveToGroup(folder, group)).toContain('name a group that you are in');
  },
);
