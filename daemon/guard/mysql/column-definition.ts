/**
 * Whether the existing rows and writes can live with a column's definition. It goes by the names of
 * types and attributes, each of them listed. Whatever else a newer server knows isn't known to keep
 * anything.
 */

import { closingParenthesis, isName, keywordsAt, type Token, tokenAt } from './tokens.ts';

/**
 * - `keeps`: rows, and everybody's writes, stay as they were;
 * - `constrains`: a write that was accepted before may be refused from now on;
 * - `unknown`: not listed here.
 */
export type Effect = 'keeps' | 'constrains' | 'unknown';

const words = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/));

const types = words(
  `BIT BOOL BOOLEAN TINYINT SMALLINT MEDIUMINT MIDDLEINT INT INTEGER BIGINT INT1 INT2 INT3 INT4 INT8 DEC DECIMAL NUMERIC FIXED
  FLOAT FLOAT4 FLOAT8 DOUBLE REAL DATE TIME DATETIME TIMESTAMP YEAR CHAR CHARACTER NCHAR NATIONAL VARCHAR VARCHARACTER NVARCHAR
  BINARY VARBINARY TINYTEXT TEXT MEDIUMTEXT LONGTEXT TINYBLOB BLOB MEDIUMBLOB LONGBLOB LONG ENUM SET JSON UUID INET4 INET6 VECTOR
  GEOMETRY POINT LINESTRING POLYGON MULTIPOINT MULTILINESTRING MULTIPOLYGON GEOMETRYCOLLECTION GEOMCOLLECTION`,
);
/** Words after a type's first word, and attributes of one word. */
const single = words(
  `PRECISION VARYING VARCHAR VARCHARACTER CHAR CHARACTER VARBINARY UNSIGNED SIGNED ZEROFILL BINARY ASCII UNICODE BYTE NULL
  AUTO_INCREMENT VISIBLE INVISIBLE FIRST`,
);
/** Attributes followed by a word or literal. */
const withValue = words('CHARSET COLLATE COMMENT AFTER COLUMN_FORMAT SRID');
const constraining = words('UNIQUE PRIMARY KEY CHECK REFERENCES CONSTRAINT GENERATED AS SERIAL');
/** The current time, which can't fail as a default. */
const moments = words('CURRENT_TIMESTAMP NOW LOCALTIME LOCALTIMESTAMP');
const constants = words('NULL TRUE FALSE');

/** What an expression in a default may be, and in which types each row can have it. */
const expressions: ReadonlyMap<string, RegExp> = new Map([
  ...[...moments].map(moment => [moment, /^(DATETIME|TIMESTAMP)/] as const),
  ['UTC_TIMESTAMP', /^DATETIME/],
  ...['CURRENT_DATE', 'CURDATE'].map(day => [day, /^DATE/] as const),
  ...['CURRENT_TIME', 'CURTIME'].map(time => [time, /^TIME$/] as const),
  // 36 characters.
  ['UUID', /^(UUID|(VAR)?CHAR\((3[6-9]|[4-9]\d|\d{3,})\)|(MEDIUM|LONG)?TEXT)$/],
  ...['JSON_ARRAY', 'JSON_OBJECT'].map(json => [json, /^(JSON|(MEDIUM|LONG)?TEXT)$/] as const),
]);
const texts = /^(MEDIUM|LONG)?(TEXT|BLOB)$/;
/** Every character set has them, and every such type takes as many. */
const plainText = /^[ -~]{0,1000}$/;

/** @param tokens `name type attribute…`, and nothing else. */
export function columnEffect(tokens: readonly Token[]): Effect {
  if (!isName(tokenAt(tokens, 0))) return 'unknown';
  // A full-text index takes such a column's numbers for its own: each row then needs one.
  if (tokenAt(tokens, 0).text.toUpperCase() === 'FTS_DOC_ID') return 'constrains';
  if (tokenAt(tokens, 1).key === 'SERIAL') return 'constrains';
  if (!types.has(tokenAt(tokens, 1).key)) return 'unknown';
  let [needsValue, hasDefault] = [false, false];
  let index = behindParentheses(tokens, 2);
  const type = tokens
    .slice(1, index)
    .map(({ key, text }) => key || text)
    .join('');
  while (index < tokens.length) {
    const { key } = tokenAt(tokens, index);
    if (constraining.has(key)) return 'constrains';
    if (keywordsAt(tokens, index, 'CHARACTER', 'SET') || keywordsAt(tokens, index, 'CHAR', 'SET')) index += 3;
    else if (keywordsAt(tokens, index, 'NOT', 'NULL')) {
      needsValue = true;
      index += 2;
    } else if (key === 'DEFAULT') {
      hasDefault = true;
      const end = defaultEnd(tokens, index + 1, type);
      if (end === null) return 'constrains';
      index = end;
    } else if (keywordsAt(tokens, index, 'ON', 'UPDATE') && moments.has(tokenAt(tokens, index + 2).key))
      index = behindParentheses(tokens, index + 3);
    else if (withValue.has(key)) index += 2;
    else if (single.has(key)) {
      if (key === 'AUTO_INCREMENT') return 'constrains';
      index = behindParentheses(tokens, index + 1);
    } else return 'unknown';
  }
  return needsValue && !hasDefault ? 'constrains' : 'keeps';
}

/**
 * The server tries a plain constant when the column is made, an expression only when a row is
 * written, as MariaDB does its rule for JSON.
 * @returns the index after a default that every row can have; null for what isn't known to be one.
 */
function defaultEnd(tokens: readonly Token[], from: number, type: string): number | null {
  const token = tokenAt(tokens, from);
  const following = tokenAt(tokens, from + 1);
  if (token.key === '(') {
    const end = closingParenthesis(tokens, from);
    return isSure(tokens.slice(from + 1, end), type) ? end + 1 : null;
  }
  if (expressions.has(token.key)) return callEnd(tokens, from, type);
  if (type === 'JSON' && token.key !== 'NULL') return null;
  if (['+', '-'].includes(token.key)) return following.kind === 'number' ? from + 2 : null;
  // _utf8mb4'x', b'1', x'0f'
  const isIntroducer = /^(_\w+|[bnx])$/i.test(token.text) && following.kind === 'string';
  if (isName(token) && isIntroducer) return from + 2;
  return token.kind === 'string' || token.kind === 'number' || constants.has(token.key) ? from + 1 : null;
}

/** True if an expression gives one value that each row of the type can have. */
function isSure(tokens: readonly Token[], type: string): boolean {
  const first = tokenAt(tokens, 0);
  if (first.key === '(')
    return closingParenthesis(tokens, 0) === tokens.length - 1 && isSure(tokens.slice(1, -1), type);
  if (expressions.has(first.key)) return callEnd(tokens, 0, type) === tokens.length;
  const isText = first.kind === 'number' || (first.kind === 'string' && plainText.test(first.text));
  return tokens.length === 1 && (first.key === 'NULL' || (isText && texts.test(type)));
}

function callEnd(tokens: readonly Token[], from: number, type: string): number | null {
  const { key } = tokenAt(tokens, from);
  const end = behindParentheses(tokens, from + 1);
  const isKnown =
    end <= from + 3 || (moments.has(key) && end === from + 4 && tokenAt(tokens, from + 2).kind === 'number');
  const isCalled = end > from + 1 || moments.has(key) || key.startsWith('CURRENT_');
  return isKnown && isCalled && expressions.get(key)?.test(type) === true ? end : null;
}

function behindParentheses(tokens: readonly Token[], index: number): number {
  return tokenAt(tokens, index).key === '(' ? closingParenthesis(tokens, index) + 1 : index;
}
