/** What a piece of a MySQL or MariaDB server's stored code names: tables and routines. Asks nothing. */

import type { QualifiedName } from '../classification/classification.ts';
import { calledFunctions, userDefined } from '../classification/mysql/calls.ts';
import { touchedTables } from '../classification/mysql/tables.ts';
import { at, isName, type Token } from '../classification/mysql/tokens.ts';

export interface Item {
  /** `read`: only read by the statement; a view may call what writes. */
  readonly kind: 'table' | 'read' | 'routine';
  readonly schema: string;
  readonly name: string;
}

export function itemsOf(kind: Item['kind'], names: readonly QualifiedName[], schema: string | null): Item[] {
  return names.map(name => ({ kind, schema: name.schema ?? schema ?? '', name: name.name }));
}

/** Words of stored code that stand before a parenthesis and call nothing. */
const notCalls = new Set(
  `WHILE UNTIL ELSEIF IF CASE BEGIN VARCHAR CHAR NCHAR NVARCHAR VARBINARY BINARY DECIMAL DEC NUMERIC FIXED NUMBER VARCHAR2
  TINYINT SMALLINT MEDIUMINT INT INTEGER BIGINT FLOAT DOUBLE REAL BIT YEAR TIME DATETIME TIMESTAMP TINYTEXT MEDIUMTEXT LONGTEXT
  TINYBLOB MEDIUMBLOB LONGBLOB SIGNED UNSIGNED VALUE VALUES RETURNS EXISTS CURSOR`.split(/\s+/),
);

/** @param schema where names without one are looked up. */
export function reachedBy(tokens: readonly Token[], schema: string, kind: 'table' | 'read' = 'table'): Item[] {
  const functions = calledFunctions(tokens).filter(({ index }) => {
    const start = at(tokens, index - 1).key === '.' ? index - 2 : index;
    return (
      !notCalls.has(at(tokens, index).key) &&
      !['INTO', 'TABLE', 'INSERT', 'REPLACE'].includes(at(tokens, start - 1).key)
    );
  });
  const procedures = tokens.flatMap((token, index): QualifiedName[] => {
    const [first, second] = [at(tokens, index + 1), at(tokens, index + 3)];
    if (token.key !== 'CALL' || !isName(first)) return [];
    return at(tokens, index + 2).key === '.'
      ? [{ schema: first.text, name: second.text }]
      : [{ schema: null, name: first.text }];
  });
  return [
    ...itemsOf(kind, touchedTables(tokens), schema),
    ...itemsOf('routine', [...userDefined(functions), ...procedures], schema),
  ];
}
