/** The pictures in docs/app.md exist, and none needs another file. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { project } from './built-app.ts';

test('each screen that docs/app.md shows has a picture, light and dark, which needs no other file', () => {
  const folder = join(project, '.readme/gallery');
  const names = readdirSync(folder).map(file => file.replace(/-(light|dark)\.svg$/, ''));
  for (const name of new Set(names)) {
    expect(names.filter(other => other === name)).toHaveLength(2);
  }
  for (const [path] of readFileSync(join(project, 'docs/app.md'), 'utf8').matchAll(/\.readme\/gallery\/[\w-]+\.svg/g)) {
    expect([path, existsSync(join(project, path))]).toEqual([path, true]);
  }
  for (const file of readdirSync(folder)) {
    const text = readFileSync(join(folder, file), 'utf8');
    expect(text).toMatch(/<title>[^<]+<\/title>/);
    // Looking at it fetches nothing and runs nothing.
    expect(text.replace('xmlns="http://www.w3.org/2000/svg"', '')).not.toMatch(/href=|<script|<image|src=/);
  }
});
