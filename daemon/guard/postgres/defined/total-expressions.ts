/**
 * Whether an expression gives a value for whatever others write, today and later. Judged by the
 * catalog's tree, so names mean what the server took them for.
 */

import type { ExpressionFact } from './facts.ts';

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

/** Some have a longer name since PostgreSQL 16. */
const plainNodes = words(
  'CONST VAR FUNCEXPR OPEXPR SCALARARRAYOPEXPR BOOLEXPR NULLTEST BOOLEANTEST RELABELTYPE COALESCE COALESCEEXPR COERCEVIAIO COLLATEEXPR',
);
const constantNodes = words(
  `${[...plainNodes].filter(node => node !== 'VAR').join(' ')} COERCETODOMAIN ARRAY ARRAYEXPR ARRAYCOERCEEXPR CASE CASEEXPR WHEN CASEWHEN`,
);
const changingNodes = words('CONST FUNCEXPR OPEXPR RELABELTYPE COERCEVIAIO SQLVALUEFUNCTION');

/**
 * Functions that fail for no value of a row, except for a text too long for an index or a tsvector.
 */
const ofRows = words(
  `lower upper btrim ltrim rtrim length char_length character_length octet_length md5 textcat to_tsvector jsonb_to_tsvector
   setweight tsvector_concat jsonb_object_field jsonb_object_field_text jsonb_extract_path jsonb_extract_path_text
   jsonb_array_element jsonb_array_element_text json_object_field json_object_field_text json_extract_path
   json_extract_path_text json_array_element json_array_element_text`,
);
/** Functions that fail at no time. */
const ofTheMoment = words(
  `now clock_timestamp statement_timestamp transaction_timestamp timezone gen_random_uuid uuidv4 uuidv7 random date timestamp
   timestamptz timestamptz_pl_interval timestamptz_mi_interval timestamp_pl_interval timestamp_mi_interval date_pli date_mii`,
);
const ofExtensions = words('uuid_generate_v1 uuid_generate_v1mc uuid_generate_v4');

const textType = '25';

/** PostgreSQL computes it when a column is added, so one that fails never gets here. */
export function isConstant({ nodes, functions }: ExpressionFact): boolean {
  return (
    nodes.every(node => constantNodes.has(node)) &&
    functions.every(({ volatility, schema }) => volatility === 'i' && schema === 'pg_catalog')
  );
}

/** @returns true for a default that never fails and is never NULL later on. */
export function isTotalDefault(expression: ExpressionFact): boolean {
  if (isConstant(expression)) return true;
  const { nodes, functions } = expression;
  return (
    nodes.every(node => changingNodes.has(node)) &&
    functions.every(({ name, schema, ofExtension }) =>
      ofExtension ? ofExtensions.has(name) : schema === 'pg_catalog' && ofTheMoment.has(name),
    )
  );
}

export function isTotalOfRows({ nodes, functions, becomes }: ExpressionFact): boolean {
  return (
    nodes.every(node => plainNodes.has(node)) &&
    functions.every(({ name, schema }) => schema === 'pg_catalog' && ofRows.has(name)) &&
    (!nodes.includes('COERCEVIAIO') || becomes.every(type => type === textType))
  );
}

/** Computed from one row alone: what it says today it says tomorrow. */
export function isImmutable({ nodes, functions }: ExpressionFact): boolean {
  return (
    nodes.every(node => node === 'VAR' || constantNodes.has(node)) &&
    functions.every(({ volatility, schema }) => volatility === 'i' && schema === 'pg_catalog')
  );
}
