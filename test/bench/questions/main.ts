/**
 * `make bench-questions`: what fourteen questions about 300 unseen tables cost a model, in calls and
 * tokens, through Sallyport and through rivals from npm. The calls are scripted; no model is asked.
 */

import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { version } from '../../../shared/version.ts';
import { writeInto } from '../../docs/generated-part.ts';
import { shop } from '../../journeys/databases/fourteen-questions.ts';
import { findPostgres, startPostgres } from '../../servers/postgres.ts';
import { root } from '../../torture/root.ts';
import { installRivals, packageOf, type Rival } from '../rivals-folder.ts';
import { connection, startOurs } from '../stdio/our-entry.ts';
import type { Place } from '../stdio/place.ts';
import { entryOf } from '../stdio/rival-entries.ts';
import { openSession } from '../stdio/session.ts';
import { type Undo, withUndo } from '../undo.ts';
import { type Asked, askAll } from './asked.ts';
import { report } from './report.ts';
import { type Way, ways } from './ways.ts';

const others: readonly (readonly [name: string, rival: Rival, way: Way])[] = [
  ['dbhub, its tools', 'dbhub', ways.dbhub],
  ['dbhub, catalog', 'dbhub', ways.dbhubCatalog],
  ['MCP Toolbox, its tools', 'MCP Toolbox', ways.toolbox],
  ['server-postgres, catalog', 'server-postgres', ways.serverPostgres],
];

await withUndo(async undo => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sallyport-bench-')));
  undo.push(() => rmSync(folder, { recursive: true, force: true }));
  const text = report(await askEverybody(folder, undo), heading());
  process.stdout.write(`${text}\n`);
  if (process.env.WRITE) writeInto(join(root, 'docs', 'benchmarks.md'), 'make bench-questions WRITE=1', `\n${text}\n`);
});

async function askEverybody(folder: string, undo: Undo): Promise<Asked[]> {
  const missing = installRivals(say, ['dbhub', 'MCP Toolbox', 'server-postgres']);
  const place = await startShop(folder, undo);
  const { home, entry } = await startOurs(place, 'writes');
  undo.push(() => home.clean());
  const asked: Asked[] = [];
  const ask = async (name: string, started: typeof entry, way: Way) => {
    const session = await openSession(started);
    asked.push(await askAll(name, session, way).finally(() => session.close()));
  };
  await ask('Sallyport', entry, ([tool, args]) => [
    [tool, tool === 'list_connections' ? args : { connection, ...args }],
  ]);
  for (const [name, rival, way] of others) {
    const theirs = entryOf(rival, place, 'reads');
    if (missing.has(rival)) say(`${rival} is missing: ${missing.get(rival)}`);
    else if (theirs !== null) await ask(name, theirs, way);
  }
  return asked;
}

async function startShop(folder: string, undo: Undo): Promise<Place> {
  const found = findPostgres();
  if ('unavailable' in found) throw new Error(found.unavailable);
  const server = await startPostgres(found);
  undo.push(() => server.stop());
  await server.psql('create database shop');
  await server.psql(shop, 'shop');
  const { host, port, superuser: user, password } = server;
  return { engine: 'postgres', host, port, user, password, database: 'shop', folder };
}

function heading(): string {
  const day = new Date().toISOString().slice(0, 10);
  const versions = [...new Set(others.map(([, rival]) => packageOf(rival)))].join(', ');
  return `${day}. Sallyport ${version}; ${versions}.`;
}

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}
