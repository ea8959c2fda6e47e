/**
 * Converts a row of `information_schema.COLUMNS` to a described column; MySQL and MariaDB word
 * defaults differently.
 */

import type { TableColumn } from '../../engine.ts';

/** @param row name, type, nullable, default, extra, key, comment, generation expression */
export function columnOf(row: readonly (string | null)[], mariadb: boolean): TableColumn {
  const [name, type, nullable, fallback, extra, key, comment, expression] = row.map(cell => cell ?? null);
  const generated = generation(extra ?? '');
  const isComputed = generated === 'stored' || generated === 'virtual';
  return {
    name: name ?? '',
    type: type ?? '',
    nullable: nullable === 'YES',
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

function generation(extra: string): TableColumn['generated'] {
  const words = extra.toUpperCase();
  if (words.includes('AUTO_INCREMENT')) return 'by_default';
  if (/\b(STORED|PERSISTENT)\b/.test(words)) return 'stored';
  return words.includes('VIRTUAL') ? 'virtual' : null;
}

/**
 * MariaDB gives SQL text, and `NULL` for no default. MySQL gives the bare value, or an expression.
 */
function defaultText(value: string | null, type: string, extra: string, mariadb: boolean): string | null {
  if (value === null || (mariadb && value.toUpperCase() === 'NULL')) return null;
  if (mariadb || /DEFAULT_GENERATED/i.test(extra) || /^CURRENT_TIMESTAMP/i.test(value))
    return expressionText(value, mariadb);
  const isNumber = /^(tinyint|smallint|mediumint|int|bigint|decimal|float|double|bit|year)/i.test(type);
  return isNumber ? value : `'${value.replaceAll("'", "''")}'`;
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
