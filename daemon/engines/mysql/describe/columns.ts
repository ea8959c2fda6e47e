/**
 * Converts a row of `information_schema.COLUMNS` to a described column; MySQL and MariaDB word
 * defaults differently.
 */

import { quoteIdentifier } from '../../../guard/identifiers.ts';
import type { TableColumn } from '../../engine.ts';
import type { FoundTable } from './catalog.ts';

/**
 * @param row name, type, nullable, default, extra, key, comment, generation expression, SRID,
 *   collation
 */
export function columnOf(
  row: readonly (string | null)[],
  { isMariadb: mariadb, collation: usual }: Pick<FoundTable, 'isMariadb' | 'collation'>,
): TableColumn {
  const [name, type, nullable, fallback, extra, key, comment, expression, srid, collation] = row.map(
    cell => cell ?? null,
  );
  const generated = generation(extra ?? '');
  const isComputed = generated === 'stored' || generated === 'virtual';
  return {
    name: name ?? '',
    type: type ?? '',
    nullable: nullable === 'YES',
    isInvisible: /\bINVISIBLE\b/i.test(extra ?? ''),
    terms: [
      ...(srid ? [`SRID ${srid}`] : []),
      ...(comparesAlike(collation, usual) ? [] : [`COLLATE ${collation}`]),
      ...(/\bWITHOUT SYSTEM VERSIONING\b/i.test(extra ?? '') ? ['WITHOUT SYSTEM VERSIONING'] : []),
    ],
    default: isComputed
      ? expressionText(expression ?? '', mariadb)
      : defaultText(fallback ?? null, type ?? '', extra ?? '', mariadb),
    onUpdate: /\bon update (\w+(?:\(\d*\))?)/i.exec(extra ?? '')?.[1] ?? null,
    generated,
    primaryKey: key === 'PRI',
    comment: comment === '' ? null : (comment ?? null),
    allowedValues: labels(type ?? ''),
  };
}

/**
 * True if texts are equal as in the table's other columns: the rule counts, not the character set.
 */
function comparesAlike(collation: string | null | undefined, usual: string | null): boolean {
  const ruleOf = (name: string) => name.slice(name.indexOf('_'));
  return !collation || usual === null || ruleOf(collation) === ruleOf(usual);
}

function generation(extra: string): TableColumn['generated'] {
  const words = extra.toUpperCase();
  if (words.includes('AUTO_INCREMENT')) return 'by_default';
  if (/\b(STORED|PERSISTENT)\b/.test(words)) return 'stored';
  return words.includes('VIRTUAL') ? 'virtual' : null;
}

/** What DEFAULT takes as it is; MySQL takes no function so. All else needs parentheses. */
const nowOrGroup = 'CURRENT_TIMESTAMP(?:\\(\\d*\\))?|\\((?:[^()]|\\([^()]*\\))*\\)';
const literalOrCall = `[bx]?'(?:[^'\\\\]|''|\\\\.)*'|[-+]?[\\d.]+(?:e[-+]?\\d+)?|\\w+\\([^()]*\\)`;
const bare = {
  mysql: new RegExp(`^(?:${nowOrGroup})$`, 'is'),
  mariadb: new RegExp(`^(?:${nowOrGroup}|${literalOrCall})$`, 'is'),
};

/**
 * MariaDB gives SQL text, and `NULL` for no default. MySQL gives the bare value, or an expression;
 * of version 5.7 only the type says whether `CURRENT_TIMESTAMP` is one.
 */
function defaultText(value: string | null, type: string, extra: string, mariadb: boolean): string | null {
  if (value === null || (mariadb && value.toUpperCase() === 'NULL')) return null;
  const isBytes = /binary|blob/i.test(type);
  const isMoment = /^(?:timestamp|datetime)/i.test(type) && /^CURRENT_TIMESTAMP/i.test(value);
  if (mariadb || isMoment || /DEFAULT_GENERATED/i.test(extra)) {
    // MariaDB gives a question mark for each byte that is no UTF-8.
    const text = mariadb && isBytes ? value.replaceAll('?', '…') : expressionText(value, mariadb);
    return bare[mariadb ? 'mariadb' : 'mysql'].test(text) ? text : `(${text})`;
  }
  const isNumber = /^(tinyint|smallint|mediumint|int|bigint|decimal|float|double|bit|year)/i.test(type);
  if (isBytes && /^0x([\da-f]{2})*$/i.test(value)) return `${value === '0x' ? '0x00' : value}…`;
  return isNumber ? value : `'${value.replaceAll(/['\\]/g, '$&$&')}'`;
}

/** MySQL 8 gives the digits of a binary value up to a NUL in it, or all; SHOW CREATE gives all. */
export const mayGoOn = ({ default: value }: TableColumn): boolean =>
  value?.startsWith('0x') === true && value.endsWith('…');

/** @param ddl the table's; null if the account may not read it. */
export function withWholeDefault(column: TableColumn, ddl: string | null): TableColumn {
  const start = `${quoteIdentifier('mysql', column.name)} ${column.type} `;
  const line = ddl?.split('\n').find(each => each.trimStart().startsWith(start)) ?? '';
  const whole = / DEFAULT (0x[\dA-F]+|'(?:[^'\\]|''|\\.)*')/.exec(line)?.[1];
  if (whole === undefined) return column;
  return { ...column, default: /^'(?!.*\\0)/s.test(whole) ? (column.default ?? '').slice(0, -1) : whole };
}

/** An expression in the catalog: MySQL escapes it like a string, MariaDB doesn't. */
export function expressionText(text: string, mariadb: boolean): string {
  if (mariadb) return text;
  return text.replaceAll(/\\(.)/gs, (_, escaped: string) => escapes[escaped] ?? escaped);
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', '0': '\0' };

/** `enum('a','it''s')`: the catalog doubles quotes and escapes backslash, line ends and NUL. */
function labels(type: string): readonly string[] | null {
  const list = /^(?:enum|set)\((.*)\)$/is.exec(type)?.[1];
  if (list === undefined) return null;
  return [...list.matchAll(/'((?:[^'\\]|''|\\.)*)(?:'|\\?$)/gs)].map(([, label = '']) =>
    label.replaceAll(/''|\\(.)/gs, (whole, escaped: string | undefined) =>
      whole === "''" ? "'" : (escapes[escaped ?? ''] ?? escaped ?? ''),
    ),
  );
}
