/**
 * `make bench-beside`: puts the same questions to Sallyport and to four other servers from npm, on
 * PostgreSQL and MariaDB, and prints what was seen as a table. Times nothing.
 */

import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { version } from '../../../shared/version.ts';
import { writeInto } from '../../docs/generated-part.ts';
import { root } from '../../torture/root.ts';
import { table } from '../calls/report/tables.ts';
import { installRivals, packageOf, type Rival, rivals } from '../rivals-folder.ts';
import { withUndo } from '../undo.ts';
import { type Row, rows } from './rows.ts';
import { type Shop, startMariadbShop, startPostgresShop } from './shop.ts';
import { type Subject, subjects } from './subject.ts';

const all = Object.keys(rivals) as Rival[];
await withUndo(async undo => {
  const missing = installRivals(say, all);
  for (const [rival, why] of missing) say(`${rival} is missing: ${why}`);
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sallyport-bench-')));
  undo.push(() => rmSync(folder, { recursive: true, force: true }));
  const shops: Shop[] = [];
  for (const start of [startPostgresShop, startMariadbShop]) {
    const shop = await start(folder);
    undo.push(() => shop.stop());
    shops.push(shop);
  }
  const looked = subjects.filter(({ name }) => name === 'Sallyport' || !missing.has(name));
  for (const subject of looked) undo.push(() => subject.stop());
  const seen: string[][] = [];
  for (const row of rows) seen.push([row.title, ...(await lookAtAll(row, looked, shops))]);
  const where = shops.map(({ title }) => title).join(' and ');
  const text = `${heading(where, looked)}\n\n${table(['', ...looked.map(({ name }) => name)], seen)}`;
  process.stdout.write(`${text}\n`);
  if (process.env.WRITE) writeInto(join(root, 'docs', 'beside-others.md'), 'make bench-beside WRITE=1', `\n${text}\n`);
});

function heading(where: string, looked: readonly Subject[]): string {
  const day = new Date().toISOString().slice(0, 10);
  const versions = looked.flatMap(({ name }) => (name === 'Sallyport' ? [] : [packageOf(name)]));
  return `${day}, ${where}, Node ${process.versions.node}. Sallyport ${version}; ${versions.join(', ')}.`;
}

async function lookAtAll(row: Row, looked: readonly Subject[], shops: readonly Shop[]): Promise<string[]> {
  const cells: string[] = [];
  for (const subject of looked) {
    const seen: (readonly [engine: string, said: string])[] = [];
    for (const shop of shops) {
      const entry = await subject.entry(shop.place, 'reads');
      if (entry === null) continue;
      await shop.reset();
      seen.push([shop.title.split(' ')[0] ?? '', await row.look(subject, shop, entry)]);
    }
    cells.push(cellOf(seen));
    say(`${row.title}, ${subject.name}: ${cells.at(-1)}`);
  }
  return cells;
}

/** One sentence if the engines agree. */
function cellOf(seen: readonly (readonly [engine: string, said: string])[]): string {
  const different = new Set(seen.map(([, said]) => said));
  return different.size === 1 ? [...different].join('') : seen.map(([engine, said]) => `${engine}: ${said}`).join('; ');
}

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}
