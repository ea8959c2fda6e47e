/** `sallyport wire` refuses what no program could read there, before it asks for a passphrase. */

import { afterEach, expect, test } from '@jest/globals';
import { type RealHome, realHome } from '../../shell-terminal/real-home.ts';

let home: RealHome;
afterEach(() => home.clean());

test.each([
  ['wire', 'Demo'],
  ['wire', 'door', '--connections', 'Demo'],
])(
  '%s %s, of SQLite',
  async (...words) => {
    home = realHome();
    expect((await home.run(['demo'])).code).toBe(0);
    const { code, stderr } = await home.run(words);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/"Demo" is another kind of database, so no wire was opened\.$/m),
    });
    expect(await home.json(['boxes', 'list'])).toEqual([]);
  },
  60_000,
);

test.each([
  [['--hide', 'audit.*'], 'hides tables'],
  [['--only', 'shop.*', '--mask', '*.ssn'], 'hides tables and masks columns'],
])(
  'a connection with %j',
  async (options, keeps) => {
    home = realHome();
    const added = await home.run([
      'connections',
      'add',
      'postgres://me@127.0.0.1:9/shop',
      '--name',
      'Shop',
      ...options,
    ]);
    expect(added.code).toBe(0);
    expect(await home.run(['wire', 'Shop'])).toEqual({
      code: 1,
      stdout: '',
      stderr: `sallyport: "Shop" ${keeps}, so no program reads it by a wire, and none was opened.\n`,
    });
    expect(await home.json(['boxes', 'list'])).toEqual([]);
  },
  60_000,
);
