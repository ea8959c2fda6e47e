/**
 * Servers in clients' files that reach a saved database without Sallyport are named, without their
 * passwords.
 */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import type { ConnectionView } from '../../shared/control-commands.ts';
import { checkPast } from '../../shell-terminal/doctor/past.ts';
import { temporaryFolder } from '../storage/home-for-tests.ts';

const userHome = temporaryFolder();
const place = { socketPath: null, filePath: null, user: 'clerk' };
const connections = [
  { ...place, name: 'Shop', engine: 'postgres', host: '127.0.0.1', port: null, database: 'shop' },
  { ...place, name: 'Other', engine: 'postgres', host: '127.0.0.1', port: 5433, database: 'shop' },
  { ...place, name: 'Notes', engine: 'sqlite', host: null, port: null, database: null, filePath: '/data/notes.db' },
] as unknown as ConnectionView[];

const told = (servers: object): string[] => {
  writeFileSync(join(userHome, '.claude.json'), JSON.stringify({ mcpServers: servers }, null, 2));
  return checkPast(userHome, {}, connections).map(({ ok, says }) => `${ok} ${says}`);
};

test.each([
  [
    'a URL as an argument, by another user',
    { args: ['-y', 'x', 'postgresql://admin:hunter2@localhost:5432/shop?sslmode=require'] },
    'Shop',
  ],
  ['a URL in the environment', { env: { DATABASE_URI: 'postgres://admin:hunter2@127.0.0.1/shop' } }, 'Shop'],
  ['the file of a database', { args: ['--db', '/data/notes.db'] }, 'Notes'],
])('%s', (_, server, name) => {
  const [line, ...more] = told({ files: { command: 'npx', ...server } });
  expect(more).toEqual([]);
  expect(line).toContain(
    `true ${join(userHome, '.claude.json')} has another server that reaches the database of ${name}, without Sallyport.`,
  );
  expect(line).not.toMatch(/hunter2|admin/);
});

test('another database, or none, needs no report', () => {
  expect(
    told({
      a: { args: ['postgres://u@127.0.0.1/crm', 'mysql://u@127.0.0.1/shop', 'postgres://[', '/data/notes.db.old'] },
    }),
  ).toEqual([]);
  mkdirSync(join(userHome, '.cursor'));
  expect(told({})).toEqual([]);
});
