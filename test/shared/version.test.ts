import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { version } from '../../shared/version.ts';

test('the commands answer the package’s version', () => {
  expect(version).toBe(JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version);
});
