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

const ofTable = { schema: 'TABLE_SCHEMA', table: 'TABLE_NAME' };

export const columnsPart: Part = {
  ...ofTable,
  columns: [
    ...['COLUMN_NAME', 'COLUMN_TYPE', 'IS_NULLABLE', 'COLUMN_DEFAULT', 'EXTRA', 'COLUMN_KEY', 'COLUMN_COMMENT'],
    'GENERATION_EXPRESSION',
  ],
  from: 'COLUMNS',
  order: ['NULL', 'ORDINAL_POSITION'],
};

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

export const indexesPart = (knowsExpressions: boolean): Part => ({
  ...ofTable,
  columns: [
    ...['INDEX_NAME', 'NON_UNIQUE', 'COLUMN_NAME', 'INDEX_TYPE', 'SUB_PART', 'COLLATION'],
    knowsExpressions ? 'EXPRESSION' : 'NULL',
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

export const mariadbChecks: Part = {
  columns: ['CONSTRAINT_NAME', 'CHECK_CLAUSE'],
  from: 'CHECK_CONSTRAINTS',
  schema: 'CONSTRAINT_SCHEMA',
  table: 'TABLE_NAME',
  order: ['CONSTRAINT_NAME', 'NULL'],
};

export const mysqlChecks: Part = {
  columns: ['k.CONSTRAINT_NAME', 'k.CHECK_CLAUSE'],
  from: `CHECK_CONSTRAINTS k JOIN information_schema.TABLE_CONSTRAINTS t
    ON t.CONSTRAINT_SCHEMA = k.CONSTRAINT_SCHEMA AND t.CONSTRAINT_NAME = k.CONSTRAINT_NAME`,
  schema: 't.TABLE_SCHEMA',
  table: 't.TABLE_NAME',
  order: ['k.CONSTRAINT_NAME', 'NULL'],
  where: "t.CONSTRAINT_TYPE = 'CHECK'",
};
