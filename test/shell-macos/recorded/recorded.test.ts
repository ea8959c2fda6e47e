/**
 * What the app's tests have its daemon say is what the real one says: each of its answers comes
 * from a home as a Mac has it. `make recorded` writes them anew.
 */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { beginHome, homeNames } from './homes.ts';
import { play, scenes } from './scenes.ts';

const tests = fileURLToPath(new URL('../../../shell-macos/Tests/', import.meta.url));
const folder = join(tests, 'ShellTests/Recorded');
const writes = process.env.WRITE === '1';

describe.each(homeNames)('a home of the kind %s', name => {
  test('answers as it was recorded', async () => {
    const answers: Record<string, unknown> = {};
    const shared = await beginHome(name);
    for (const [what, scene] of Object.entries(scenes[name])) {
      const home = scene.changesNothing ? shared : await beginHome(name);
      const played = await play(scene, home);
      if (home !== shared) await home.end();
      answers[what] = played;
      if (what.startsWith('wrong '))
        expect(`wrong ${played.answer.error?.data?.field}`).toMatch(new RegExp(`^${what}(\\.\\d+)?$`));
    }
    await shared.end();
    const file = join(folder, `${name}.json`);
    if (writes) writeFileSync(file, `${JSON.stringify(answers, null, 2)}\n`);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(answers);
  });
});

test('each recorded answer is given in a test', () => {
  const text = readdirSync(join(tests, 'ShellTests'))
    .filter(name => name.endsWith('.swift'))
    .map(name => readFileSync(join(tests, 'ShellTests', name), 'utf8'))
    .join('');
  const unused = homeNames.flatMap(home =>
    Object.keys(scenes[home])
      .filter(what => !what.startsWith('wrong ') && !text.includes(`"${home}/${what}"`))
      .map(what => `${home}/${what}`),
  );
  expect(unused).toEqual([]);
});
