/** The pages lead where they say: files and headings that exist, code that is the sample's own; and the README stays a short one. */

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { pages, project, readPage, textOf } from './pages.ts';

const mostLinesOfReadme = 150;

/** As GitHub makes them of headings. */
function anchorsOf(page: string): readonly string[] {
  return [...readPage(page).prose.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-'),
  );
}

describe.each(pages)('%s', page => {
  const { blocks, prose } = readPage(page);

  test('each link and picture leads to a file, and to a heading in it', () => {
    const links = [...prose.matchAll(/\]\(([^)\s]+)\)|(?:src|srcset|href)="([^"]+)"/g)].map(
      ([, one, other]) => one ?? other ?? '',
    );
    for (const link of links.filter(link => !/^[a-z]+:/.test(link))) {
      const [path = '', anchor] = link.split('#');
      const file = path === '' ? page : join(dirname(page), path);
      expect([link, existsSync(join(project, file))]).toEqual([link, true]);
      if (anchor !== undefined) expect([link, anchorsOf(file)]).toEqual([link, expect.arrayContaining([anchor])]);
    }
  });

  test('its JavaScript stands in the sample extension, word for word', () => {
    const sample = readFileSync(join(project, 'test/extension/extension.mjs'), 'utf8');
    for (const { language, lines } of blocks) if (language === 'js') expect(sample).toContain(lines.join('\n'));
  });
});

test('the README is short, and its first test command is the plain one', () => {
  const lines = textOf('README.md').split('\n');
  expect(lines.length).toBeLessThanOrEqual(mostLinesOfReadme);
  // .ci/run runs the first such line.
  expect(lines.find(line => /^ {4}make test/.test(line))).toBe('    make test');
});
