/**
 * The one table of classified statements, with three runners: `guard/statements.test.ts` uses only
 * their text, `guard/mysql.test.ts` and `guard/postgres-catalog.test.ts` a catalog, and the suites
 * of `walls/` run them with one wall off.
 */

import type { StatementClass } from '../../../daemon/guard/types.ts';
import type { Engine } from '../../../shared/engine.ts';
import type { StatementGroup } from './group.ts';
import { mysqlStatements } from './mysql.ts';
import { postgresStatements } from './postgres.ts';
import { sqliteStatements } from './sqlite.ts';

export interface JudgedStatement {
  readonly sql: string;
  readonly class: StatementClass;
  readonly decidedBy: 'text' | 'catalog' | 'execution';
  readonly walls: 'measured' | 'held' | null;
  readonly isCounted: boolean;
  readonly flavor: 'mysql' | 'mariadb' | null;
}

const groups: Readonly<Record<Engine, readonly StatementGroup[]>> = {
  postgres: postgresStatements,
  mysql: mysqlStatements,
  sqlite: sqliteStatements,
};

export function statementsOf(engine: Engine): readonly JudgedStatement[] {
  return groups[engine].flatMap(({ statements, ...given }) =>
    statements.map(sql => ({ decidedBy: 'text', walls: null, isCounted: false, flavor: null, ...given, sql }) as const),
  );
}

export const decidedByText = (engine: Engine): readonly JudgedStatement[] =>
  statementsOf(engine).filter(({ decidedBy }) => decidedBy === 'text');
