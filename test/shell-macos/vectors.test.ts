/**
 * The vectors for the macOS shell's Swift tests hold the results of the other shells' rules.
 * SALLYPORT_WRITE_FIXTURES=1 writes them.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { vectors } from './vectors.ts';

for (const [name, compute] of Object.entries(vectors)) {
  test(`shared/fixtures/${name}.json holds the rules’ results`, () => {
    const file = new URL(`../../shared/fixtures/${name}.json`, import.meta.url);
    if (process.env.SALLYPORT_WRITE_FIXTURES === '1') writeFileSync(file, `${JSON.stringify(compute(), null, 2)}\n`);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(JSON.parse(JSON.stringify(compute())));
  });
}
