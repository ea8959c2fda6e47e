/** What `doctor` says of Sallyport.app, with stand-ins for macOS's codesign. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { checkSignature } from '../../shell-terminal/doctor/app-signature.ts';
import { program } from '../shell-macos/built-app.ts';

const app = '/Applications/Sallyport.app';

function saidBy(line: string) {
  const folder = mkdtempSync(join(tmpdir(), 'codesign-'));
  try {
    program(join(folder, 'codesign'), line);
    return checkSignature(app, join(folder, 'codesign'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('an app as it was signed is right', () => {
  expect(saidBy(`[ "$*" = '--verify --deep --strict ${app}' ]`)).toMatchObject({
    name: 'programs',
    ok: true,
    says: `${app} is as it was signed.`,
  });
});

test.each([
  ['a changed file', `echo '${app}: a sealed resource is missing or invalid' >&2; exit 1`, 'a sealed resource'],
  ['signs for a terminal in what it says', `printf '\\033]0;x' >&2; exit 1`, 'not as it was signed'],
  ['no answer of its own', 'kill -9 $$', 'not as it was signed'],
])('%s is a problem', (_what, line, words) => {
  const check = saidBy(line);
  expect(check).toMatchObject({ name: 'programs', ok: false, says: expect.stringContaining(words) });
  expect(JSON.stringify(check)).not.toContain('\\u001b');
});

test('without codesign it says so', () => {
  expect(checkSignature(app, '/nowhere/codesign')).toMatchObject({
    ok: false,
    says: expect.stringContaining('ENOENT'),
  });
});
