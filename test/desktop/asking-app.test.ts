/** The app is opened if nobody else can be asked. A program stands in for macOS's own `open`. */

import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { askingApp } from '../../daemon/desktop/asking-app.ts';
import { until } from '../waiting/until.ts';

let folder: string;
let opened: string;
let opener: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sallyport-open-'));
  [opened, opener] = [join(folder, 'opened'), join(folder, 'open')];
  writeFileSync(opener, `#!/bin/sh\nprintf '%s\\n' "$@" >>'${opened}'\n`);
  chmodSync(opener, 0o755);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const program = '/Applications/My Sallyport.app/Contents/MacOS/sallyportd';
/** The shell makes the file before it writes to it. */
const lines = (): number => (existsSync(opened) ? readFileSync(opened, 'utf8').split('\n').length - 1 : 0);
/** Lines per opening. */
const linesOfOne = 4;
const appWith = (given: Partial<Parameters<typeof askingApp>[0]>) =>
  askingApp({
    ...{
      platform: 'darwin',
      program,
      opener,
      someoneAnswers: () => lines() === linesOfOne,
      elapsed: () => performance.now(),
    },
    ...given,
  });

test('it is opened in the background by a link, once for all that wait', async () => {
  const bring = appWith({});
  await Promise.all([bring?.(), bring?.(), bring?.()]);
  expect(readFileSync(opened, 'utf8')).toBe(
    '-g\n-a\n/Applications/My Sallyport.app\nsallyport://integrations/start-mcp\n',
  );
});

test('if it doesn’t come, nobody waits for it again for a while', async () => {
  let now = 0;
  const limits = { patienceMilliseconds: 300, pollMilliseconds: 10 };
  const bring = appWith({ someoneAnswers: () => false, elapsed: () => (now += 10), limits });
  await bring?.();
  await bring?.();
  await until(() => lines() === linesOfOne, 'it was opened once');
  now += 60_000;
  await bring?.();
  await until(() => lines() === 2 * linesOfOne, 'it was opened again');
});

test.each(['is not there', 'fails'])('an opener that %s isn’t waited for', async how => {
  if (how === 'fails') writeFileSync(opener, '#!/bin/sh\nexit 1\n');
  const failing = how === 'fails' ? opener : join(folder, 'none');
  // By this clock it never times out.
  await appWith({ opener: failing, someoneAnswers: () => false, elapsed: () => 0 })?.();
  expect(existsSync(opened)).toBe(false);
});

test('other systems have none, nor has a daemon outside an app', () => {
  expect(appWith({ platform: 'linux' })).toBeNull();
  for (const path of ['/usr/local/lib/sallyport/bin/sallyportd', 'x.app/Contents/MacOS/sallyportd', '']) {
    expect(appWith({ program: path })).toBeNull();
  }
});
