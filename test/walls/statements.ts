/** The statements that are thrown at the walls: the classified list, and those of `unseen/`. */

import { readFileSync } from 'node:fs';
import type { StatementClass } from '../../daemon/guard/types.ts';
import type { Engine } from '../../shared/engine.ts';
import { mysqlStatements } from './unseen/mysql.ts';
import { postgresStatements } from './unseen/postgres.ts';
import { sqliteStatements } from './unseen/sqlite.ts';

export interface WallStatement {
  readonly sql: string;
  readonly class: StatementClass;
  /** `execution`: nothing before it runs can tell, and no class is expected. */
  readonly decidedBy: 'text' | 'catalog' | 'execution';
  readonly list: 'judged' | 'unseen';
  /** A write by its text, which the rows that it changes stop before its COMMIT. */
  readonly isCounted: boolean;
  /** Grammar of one server only. */
  readonly flavor: 'mysql' | 'mariadb' | null;
}

interface JudgedRow {
  readonly dialect: Engine;
  readonly sql: string;
  readonly class: StatementClass;
  readonly decided_by: WallStatement['decidedBy'];
  readonly flavor?: 'mysql' | 'mariadb';
}

const classified: readonly JudgedRow[] = JSON.parse(
  readFileSync(new URL('../sql/statements.json', import.meta.url), 'utf8'),
);

export const unseen: Readonly<Record<Engine, Readonly<Record<string, readonly string[]>>>> = {
  postgres: postgresStatements,
  mysql: mysqlStatements,
  sqlite: sqliteStatements,
};

export function statementsFor(engine: Engine): readonly WallStatement[] {
  const shared = classified
    .filter(row => row.dialect === engine)
    .map(row => ({
      sql: row.sql,
      class: row.class,
      decidedBy: row.decided_by,
      list: 'judged' as const,
      isCounted: false,
      flavor: row.flavor ?? null,
    }));
  const ours = Object.entries(unseen[engine]).flatMap(([kind, statements]) =>
    statements.map(sql => ({
      sql,
      class: (kind === 'counted' ? 'write' : kind) as StatementClass,
      decidedBy: 'text' as const,
      list: 'unseen' as const,
      isCounted: kind === 'counted',
      flavor: null,
    })),
  );
  return [...shared, ...ours];
}

export function fixture(name: string): string {
  return readFileSync(new URL(`../sql/fixture-${name}.sql`, import.meta.url), 'utf8');
}
