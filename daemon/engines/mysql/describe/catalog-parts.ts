/** The catalogs behind a description: their columns, and the order of their rows. */

export interface Part {
  readonly columns: readonly string[];
  readonly from: string;
  /** The columns that name the table. */
  readonly schema: string;
  readonly table: string;
  /** The columns that order the rows: a text, then a number. */
  readonly order: readonly [text: string, number: string];
  readonly where?: string;
}

/** What tells which columns its catalogs have. */
export interface Server {
  readonly isMariadb: boolean;
  /** As VERSION() says. */
  readonly version: string;
}

type Release = readonly [major: number, minor: number, patch: number];

/** @param mysql the first release of each that has something; null: none has. */
export function isSince({ isMariadb, version }: Server, mysql: Release | null, mariadb: Release | null): boolean {
  const first = isMariadb ? mariadb : mysql;
  if (first === null) return false;
  const [major = 0, minor = 0, patch = 0] = (/^\d+\.\d+\.\d+/.exec(version)?.[0] ?? '').split('.').map(Number);
  return (major - first[0] || minor - first[1] || patch - first[2]) >= 0;
}

const ofTable = { schema: 'TABLE_SCHEMA', table: 'TABLE_NAME' };

export const columnsPart = (server: Server): Part => ({
  ...ofTable,
  columns: [
    'COLUMN_NAME',
    'COLUMN_TYPE',
    'IS_NULLABLE',
    'COLUMN_DEFAULT',
    'EXTRA',
    'COLUMN_KEY',
    'COLUMN_COMMENT',
    'GENERATION_EXPRESSION',
    isSince(server, [8, 0, 3], null) ? 'SRS_ID' : 'NULL',
    'COLLATION_NAME',
  ],
  from: 'COLUMNS',
  order: ['NULL', 'ORDINAL_POSITION'],
});

export const keysPart: Part = {
  ...ofTable,
  columns: [
    'CONSTRAINT_NAME',
    'COLUMN_NAME',
    'REFERENCED_TABLE_SCHEMA',
    'REFERENCED_TABLE_NAME',
    'REFERENCED_COLUMN_NAME',
  ],
  from: 'KEY_COLUMN_USAGE',
  order: ['CONSTRAINT_NAME', 'ORDINAL_POSITION'],
};

export const rulesPart: Part = {
  schema: 'CONSTRAINT_SCHEMA',
  table: 'TABLE_NAME',
  columns: ['CONSTRAINT_NAME', 'UPDATE_RULE', 'DELETE_RULE'],
  from: 'REFERENTIAL_CONSTRAINTS',
  order: ['CONSTRAINT_NAME', 'NULL'],
};

export const indexesPart = (server: Server): Part => ({
  ...ofTable,
  columns: [
    'INDEX_NAME',
    'NON_UNIQUE',
    'COLUMN_NAME',
    'INDEX_TYPE',
    'SUB_PART',
    'COLLATION',
    isSince(server, [8, 0, 13], null) ? 'EXPRESSION' : 'NULL',
    isSince(server, [8, 0, 0], null)
      ? "IF(IS_VISIBLE = 'NO', 'INVISIBLE', NULL)"
      : isSince(server, null, [10, 6, 0])
        ? "IF(IGNORED = 'YES', 'IGNORED', NULL)"
        : 'NULL',
  ],
  from: 'STATISTICS',
  order: ['INDEX_NAME', 'SEQ_IN_INDEX'],
});

export const triggersPart: Part = {
  schema: 'EVENT_OBJECT_SCHEMA',
  table: 'EVENT_OBJECT_TABLE',
  columns: ['TRIGGER_NAME', 'ACTION_TIMING', 'EVENT_MANIPULATION', 'ACTION_STATEMENT'],
  from: 'TRIGGERS',
  order: ['TRIGGER_NAME', 'NULL'],
};

export const partitionsPart: Part = {
  ...ofTable,
  columns: ['PARTITION_NAME', 'PARTITION_METHOD', 'PARTITION_EXPRESSION', 'PARTITION_DESCRIPTION'],
  from: 'PARTITIONS',
  order: ['NULL', 'PARTITION_ORDINAL_POSITION'],
  where: 'PARTITION_NAME IS NOT NULL',
};

const mariadbChecks: Part = {
  columns: ['CONSTRAINT_NAME', 'CHECK_CLAUSE', 'NULL'],
  from: 'CHECK_CONSTRAINTS',
  schema: 'CONSTRAINT_SCHEMA',
  table: 'TABLE_NAME',
  order: ['CONSTRAINT_NAME', 'NULL'],
};

const mysqlChecks: Part = {
  columns: ['k.CONSTRAINT_NAME', 'k.CHECK_CLAUSE', "IF(t.ENFORCED = 'NO', 'NOT ENFORCED', NULL)"],
  from: `CHECK_CONSTRAINTS k JOIN information_schema.TABLE_CONSTRAINTS t
    ON t.CONSTRAINT_SCHEMA = k.CONSTRAINT_SCHEMA AND t.CONSTRAINT_NAME = k.CONSTRAINT_NAME`,
  schema: 't.TABLE_SCHEMA',
  table: 't.TABLE_NAME',
  order: ['k.CONSTRAINT_NAME', 'NULL'],
  where: "t.CONSTRAINT_TYPE = 'CHECK'",
};

export const checksPart = ({ isMariadb }: Server): Part => (isMariadb ? mariadbChecks : mysqlChecks);
