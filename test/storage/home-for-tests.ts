/** A folder for one test file, removed after its tests. */

import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';

export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sallyport-test-')));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
