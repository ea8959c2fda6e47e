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
const functions = words('UUID JSON_ARRAY JSON_OBJECT CURRENT_DATE CURDATE CURRENT_TIME CURTIME UTC_TIMESTAMP');

/** @param tokens `name type attribute…`, and nothing else. */
export function columnEffect(tokens: readonly Token[]): Effect {
  if (!isName(tokenAt(tokens, 0))) return 'unknown';
  if (tokenAt(tokens, 1).key === 'SERIAL') return 'constrains';
  if (!types.has(tokenAt(tokens, 1).key)) return 'unknown';
  let [needsValue, hasDefault] = [false, false];
  let index = behindParentheses(tokens, 2);
  while (index < tokens.length) {
    const { key } = tokenAt(tokens, index);
    if (constraining.has(key)) return 'constrains';
    if (keywordsAt(tokens, index, 'CHARACTER', 'SET') || keywordsAt(tokens, index, 'CHAR', 'SET')) index += 3;
    else if (keywordsAt(tokens, index, 'NOT', 'NULL')) {
      needsValue = true;
      index += 2;
    } else if (key === 'DEFAULT') {
      hasDefault = true;
      const end = defaultEnd(tokens, index + 1);
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
 * @returns the index after a default that every row can have; null for an expression, which may
 *   fail when a row is written.
 */
function defaultEnd(tokens: readonly Token[], from: number): number | null {
  if (tokenAt(tokens, from).key === '(') {
    const end = closingParenthesis(tokens, from);
    return defaultEnd(tokens.slice(from + 1, end), 0) === end - from - 1 ? end + 1 : null;
  }
  const first = ['+', '-'].includes(tokenAt(tokens, from).key) ? from + 1 : from;
  const token = tokenAt(tokens, first);
  if (moments.has(token.key)) return behindParentheses(tokens, first + 1);
  if (functions.has(token.key)) {
    if (tokenAt(tokens, first + 1).key !== '(') return /^CURRENT_/.test(token.key) ? first + 1 : null;
    return closingParenthesis(tokens, first + 1) === first + 2 ? first + 3 : null;
  }
  // _utf8mb4'x', b'1', x'0f'
  const isIntroducer = /^(_\w+|[bnx])$/i.test(token.text) && tokenAt(tokens, first + 1).kind === 'string';
  if (isName(token) && isIntroducer) return first + 2;
  return token.kind === 'string' || token.kind === 'number' || constants.has(token.key) ? first + 1 : null;
}

function behindParentheses(tokens: readonly Token[], index: number): number {
  return tokenAt(tokens, index).key === '(' ? closingParenthesis(tokens, index) + 1 : index;
}
