/**
 * Root confirms a reset of the owner passphrase with a file that only root can have written; no
 * other file of root's counts.
 */

import { chmodSync, chownSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { isConfirmedByRoot } from '../../daemon/storage/root-confirmation.ts';
import { rootConfirmation } from '../../shared/locations.ts';
import { needsRoot } from '../needs.ts';

const id = '1f1c1d2e-3b4a-4c5d-8e6f-7a8b9c0d1e2f';
const person = 1_000;
let home: string;
let file: string;
beforeEach(() => {
  home = mkdtempSync('/tmp/sallyport-root-test-');
  file = join(home, rootConfirmation);
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

needsRoot.describe('a reset', () => {
  test('is confirmed by root’s file, for only this reset', () => {
    expect(isConfirmedByRoot(home, id, person)).toBe(false);
    writeFileSync(file, `${id}\n`, { mode: 0o644 });
    expect(isConfirmedByRoot(home, id, person)).toBe(true);
    expect(isConfirmedByRoot(home, id.replace('1', '2'), person)).toBe(false);
  });

  test('isn’t confirmed if Sallyport runs as root: each program of its user is root', () => {
    writeFileSync(file, id, { mode: 0o644 });
    expect(isConfirmedByRoot(home, id, 0)).toBe(false);
    expect(isConfirmedByRoot(home, id)).toBe(false);
  });

  test('isn’t confirmed by a file of the person, one that others can write, a link, or another file of root', () => {
    const other = join(home, 'another');
    writeFileSync(other, id, { mode: 0o644 });
    symlinkSync(other, file);
    expect(isConfirmedByRoot(home, id, person)).toBe(false);
    rmSync(file);
    writeFileSync(file, 'of root, and moved here', { mode: 0o644 });
    expect(isConfirmedByRoot(home, id, person)).toBe(false);
    writeFileSync(file, id);
    chmodSync(file, 0o666);
    expect(isConfirmedByRoot(home, id, person)).toBe(false);
    chmodSync(file, 0o644);
    expect(isConfirmedByRoot(home, id, person)).toBe(true);
    chownSync(file, person, person);
    expect(isConfirmedByRoot(home, id, person)).toBe(false);
  });
});
