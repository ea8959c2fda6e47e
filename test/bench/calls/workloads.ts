/** The workloads, the same for each engine. */

/** Cells as text, in column order: engines and servers represent numbers differently. */
export type Rows = readonly (readonly string[])[];

export interface Workload {
  readonly name: string;
  readonly sql: string;
}

export const workloads: readonly Workload[] = [
  { name: 'SELECT 1', sql: 'SELECT 1 AS one' },
  { name: '100 rows', sql: 'SELECT * FROM accounts WHERE aid BETWEEN 1 AND 100 ORDER BY aid' },
  { name: '10,000 rows', sql: 'SELECT * FROM accounts WHERE aid BETWEEN 1 AND 10000 ORDER BY aid' },
];

export const accountCount = 100_000;

/** The table `accounts`, as pgbench makes it, in each engine's dialect. */
export const accountColumns =
  'aid integer NOT NULL PRIMARY KEY, bid integer NOT NULL, abalance integer NOT NULL, filler varchar(84) NOT NULL';

export function rowsOfObjects(objects: readonly Record<string, unknown>[]): Rows {
  return objects.map(object => Object.values(object).map(String));
}
