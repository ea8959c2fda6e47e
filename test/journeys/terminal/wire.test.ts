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
  ['--hide', 'audit.*', 'keeps tables out of sight'],
  ['--only', 'shop.*', 'keeps tables out of sight'],
  ['--mask', 'users.email', 'masks columns'],
])(
  'a wire to a connection with %s',
  async (option, pattern, why) => {
    home = realHome();
    expect((await home.run(['start'])).code).toBe(0);
    const url = 'postgres://me@127.0.0.1:1/shop';
    await home.json(['connections', 'add', url, '--name', 'Shop', option, pattern]);
    for (const words of [
      ['wire', 'Shop'],
      ['wire', 'door', '--connections', 'Shop'],
    ]) {
      const { code, stdout, stderr } = await home.run(words);
      expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: '', stderr: expect.stringContaining(why) });
    }
    expect(await home.json(['boxes', 'list'])).toEqual([]);
  },
  60_000,
);
