/**
 * Reads and writes the tables of a folder as a whole. The first line has the columns; no value has
 * a comma or a line break.
 */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export interface Link {
  names(): readonly string[];
  /** Null if there is no such table. */
  read(name: string): Table | null;
  write(name: string, table: Table): void;
}

export function linkTo(folder: string): Link {
  const names = (): readonly string[] =>
    readdirSync(folder)
      .flatMap(file => /^(\w+)\.csv$/.exec(file)?.[1] ?? [])
      .toSorted();
  const fileOf = (name: string): string => join(folder, `${name}.csv`);
  return {
    names,
    read(name) {
      if (!names().includes(name)) return null;
      const [columns = [], ...rows] = readFileSync(fileOf(name), 'utf8')
        .trimEnd()
        .split('\n')
        .map(line => line.split(','));
      return { columns, rows };
    },
    write: (name, { columns, rows }) => writeFileSync(fileOf(name), `${[columns, ...rows].join('\n')}\n`),
  };
}

/** A copy whose writes stay in memory. */
export function copyOf(link: Link): Link {
  const written = new Map<string, Table>();
  return {
    names: link.names,
    read: name => written.get(name) ?? link.read(name),
    write: (name, table) => void written.set(name, table),
  };
}
