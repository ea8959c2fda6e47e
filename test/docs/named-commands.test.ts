/**
 * The specification lists each command of `sallyport`, and each that a shell may ask of the daemon.
 * Reads files only.
 */

import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { commands as control } from '../../daemon/shells/commands.ts';
import { commands as terminal } from '../../shell-terminal/commands.ts';

const specification = readFileSync(new URL('../../docs/specification.md', import.meta.url), 'utf8');

test('the specification names each command of the terminal', () => {
  const lines = specification.split('\n').filter(line => line.startsWith('sallyport '));
  const named = lines.map(line => new Set(line.split(/[^\w-]+/)));
  const missing = terminal.filter(({ words }) => !named.some(line => words.split(' ').every(word => line.has(word))));
  expect(missing.map(({ words }) => words)).toEqual([]);
});

test('the specification names each command of the control socket', () => {
  // Commands of one noun share a row: `tokens.list`, `.mint`, `.edit`.
  const rows = specification.split('\n').filter(line => line.startsWith('| '));
  const missing = control.filter(({ name }) => {
    const [noun = '', verb = ''] = name.split('.');
    return !rows.some(
      row => row.includes(`\`${name}\``) || (row.includes(`\`${noun}.`) && row.includes(`\`.${verb}\``)),
    );
  });
  expect(missing.map(({ name }) => name)).toEqual([]);
});
