/**
 * Writes the demo shop: an SQLite database of some 20,000 rows, the same every time. Under a temporary name first, so
 * that whoever reads the path sees the old file or the whole new one.
 */

import { renameSync, rmSync } from 'node:fs';
import { openSqliteFile } from '../../sqlite/open-file.ts';
import { fillCustomers } from './customers.ts';
import { fillOrders, fillReviews } from './orders.ts';
import { fillProducts } from './products.ts';
import { seededChance } from './random.ts';
import { indexesAndViews, tables } from './tables.ts';
import type { Insert, Value } from './values.ts';

/** SQLite would take a journal left by an older file for the new one's. */
const companions = ['-journal', '-wal', '-shm'];

/** @param filePath in a folder that exists; a file there is replaced. */
export async function makeDemoShop(filePath: string): Promise<void> {
  const unfinished = `${filePath}.unfinished-${process.pid}`;
  rmSync(unfinished, { force: true });
  try {
    const database = openSqliteFile(unfinished, { access: 'make' });
    try {
      // Nothing to protect yet: half a file is thrown away.
      database.exec('pragma journal_mode = off');
      database.exec('pragma synchronous = off');
      database.exec('begin');
      database.exec(tables);
      fillShop(inserterInto(sql => database.prepare(sql)));
      database.exec(indexesAndViews);
      database.exec('commit');
    } finally {
      database.close();
    }
    for (const companion of companions) rmSync(filePath + companion, { force: true });
    renameSync(unfinished, filePath);
  } finally {
    rmSync(unfinished, { force: true });
  }
}

/** Drawn by seeded chance alone: no clock, the same every time. */
function fillShop(insert: Insert): void {
  const chance = seededChance(20_260_728);
  const products = fillProducts(insert, chance);
  const addresses = fillCustomers(insert, chance);
  fillOrders(insert, chance, products, addresses);
  fillReviews(insert, chance, products);
}

interface Inserting {
  run(...values: readonly Value[]): unknown;
}

function inserterInto(prepare: (sql: string) => Inserting): Insert {
  const prepared = new Map<string, Inserting>();
  return (table, row) => {
    const statement = prepared.get(table) ?? prepare(`insert into ${table} values (${row.map(() => '?').join(', ')})`);
    prepared.set(table, statement);
    statement.run(...row);
  };
}
