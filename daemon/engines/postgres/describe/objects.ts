/** Describes routines and types by name, each with its SQL: one query to the catalog. */

import type { Answer, CallContext, ObjectDescription } from '../../engine.ts';
import { ask } from '../look-up.ts';
import type { Pool } from '../pool.ts';
import { collation } from './catalog-parts.ts';

const qualified = (schema: string, name: string) =>
  `pg_catalog.concat(pg_catalog.quote_ident(${schema}), '.', pg_catalog.quote_ident(${name}))`;

const named = (name: string) => `${name} = CAST($1 AS pg_catalog.name)
  AND pg_catalog.has_schema_privilege(n.oid, 'USAGE')
  AND (CAST($2 AS pg_catalog.name) IS NULL OR n.nspname = CAST($2 AS pg_catalog.name))`;

const attributes = `(SELECT pg_catalog.string_agg(pg_catalog.concat_ws(' ', pg_catalog.quote_ident(a.attname), pg_catalog.format_type(a.atttypid, a.atttypmod),
    ${collation('a.attcollation', 'y.typcollation')}), ', ' ORDER BY a.attnum)
  FROM pg_catalog.pg_attribute AS a JOIN pg_catalog.pg_type AS y ON y.oid = a.atttypid WHERE a.attrelid = t.typrelid AND a.attnum > 0 AND NOT a.attisdropped)`;

const labels = `(SELECT pg_catalog.string_agg(pg_catalog.quote_literal(e.enumlabel), ', ' ORDER BY e.enumsortorder)
  FROM pg_catalog.pg_enum AS e WHERE e.enumtypid = t.oid)`;

/** NOT VALID is for ALTER alone. */
const domain = `pg_catalog.concat(pg_catalog.concat_ws(' ', 'CREATE DOMAIN', ${qualified('n.nspname', 't.typname')}, 'AS', pg_catalog.format_type(t.typbasetype, t.typtypmod),
  ${collation('t.typcollation', '(SELECT y.typcollation FROM pg_catalog.pg_type AS y WHERE y.oid = t.typbasetype)')},
  CASE WHEN t.typdefault IS NOT NULL THEN pg_catalog.concat('DEFAULT ', pg_catalog.pg_get_expr(t.typdefaultbin, 0)) END,
  CASE WHEN t.typnotnull THEN 'NOT NULL' END),
  (SELECT pg_catalog.string_agg(pg_catalog.concat(CASE WHEN NOT k.convalidated
        THEN pg_catalog.concat(E';\\nALTER DOMAIN ', ${qualified('n.nspname', 't.typname')}, ' ADD ') ELSE ' ' END,
      'CONSTRAINT ', pg_catalog.quote_ident(k.conname), ' ', pg_catalog.pg_get_constraintdef(k.oid, true)), '' ORDER BY k.convalidated DESC, k.conname)
    FROM pg_catalog.pg_constraint AS k WHERE k.contypid = t.oid AND k.contype = 'c'))`;

const routine = (name: string, of: string) =>
  `CASE WHEN CAST(${of} AS pg_catalog.oid) <> 0 THEN pg_catalog.concat('${name} = ', ${of}) END`;
const given = (name: string, of: string) => `CASE WHEN ${of} THEN '${name}' END`;
const changesState = (name: string, of: string) =>
  `CASE ${of} WHEN 's' THEN '${name} = SHAREABLE' WHEN 'w' THEN '${name} = READ_WRITE' END`;

const aggregate = `(SELECT pg_catalog.concat('CREATE AGGREGATE ', ${qualified('n.nspname', 'p.proname')},
    '(', coalesce(nullif(pg_catalog.pg_get_function_identity_arguments(p.oid), ''), '*'), ') (', pg_catalog.concat_ws(', ',
      ${routine('SFUNC', 'a.aggtransfn')}, pg_catalog.concat('STYPE = ', pg_catalog.format_type(a.aggtranstype, -1)),
      CASE WHEN a.aggtransspace > 0 THEN pg_catalog.concat('SSPACE = ', a.aggtransspace) END,
      ${routine('FINALFUNC', 'a.aggfinalfn')}, ${given('FINALFUNC_EXTRA', 'a.aggfinalextra')},
      CASE WHEN a.aggkind = 'n' THEN ${changesState('FINALFUNC_MODIFY', 'a.aggfinalmodify')} END,
      ${routine('COMBINEFUNC', 'a.aggcombinefn')}, ${routine('SERIALFUNC', 'a.aggserialfn')}, ${routine('DESERIALFUNC', 'a.aggdeserialfn')},
      CASE WHEN a.agginitval IS NOT NULL THEN pg_catalog.concat('INITCOND = ', pg_catalog.quote_literal(a.agginitval)) END,
      ${routine('MSFUNC', 'a.aggmtransfn')}, ${routine('MINVFUNC', 'a.aggminvtransfn')},
      CASE WHEN a.aggmtranstype <> 0 THEN pg_catalog.concat('MSTYPE = ', pg_catalog.format_type(a.aggmtranstype, -1)) END,
      ${routine('MFINALFUNC', 'a.aggmfinalfn')}, ${given('MFINALFUNC_EXTRA', 'a.aggmfinalextra')},
      CASE WHEN a.aggminitval IS NOT NULL THEN pg_catalog.concat('MINITCOND = ', pg_catalog.quote_literal(a.aggminitval)) END,
      (SELECT pg_catalog.concat('SORTOP = OPERATOR(', pg_catalog.quote_ident(s.nspname), '.', o.oprname, ')') FROM pg_catalog.pg_operator AS o
        JOIN pg_catalog.pg_namespace AS s ON s.oid = o.oprnamespace WHERE o.oid = a.aggsortop),
      CASE p.proparallel WHEN 's' THEN 'PARALLEL = SAFE' WHEN 'r' THEN 'PARALLEL = RESTRICTED' END,
      ${given('HYPOTHETICAL', "a.aggkind = 'h'")}), ')')
  FROM pg_catalog.pg_aggregate AS a WHERE a.aggfnoid = p.oid)`;

/** The name of its multirange came with PostgreSQL 14. */
const range = `(SELECT pg_catalog.concat('CREATE TYPE ', ${qualified('n.nspname', 't.typname')}, ' AS RANGE (', pg_catalog.concat_ws(', ',
      pg_catalog.concat('SUBTYPE = ', pg_catalog.format_type(r.rngsubtype, -1)),
      (SELECT pg_catalog.concat('MULTIRANGE_TYPE_NAME = ', ${qualified('s.nspname', 'y.typname')})
        FROM pg_catalog.pg_type AS y JOIN pg_catalog.pg_namespace AS s ON s.oid = y.typnamespace
        WHERE y.oid = CAST(pg_catalog.to_jsonb(r) ->> 'rngmultitypid' AS pg_catalog.oid)),
      (SELECT pg_catalog.concat('SUBTYPE_OPCLASS = ', ${qualified('s.nspname', 'o.opcname')})
        FROM pg_catalog.pg_opclass AS o JOIN pg_catalog.pg_namespace AS s ON s.oid = o.opcnamespace WHERE o.oid = r.rngsubopc AND NOT o.opcdefault),
      (SELECT pg_catalog.concat('COLLATION = ', ${qualified('s.nspname', 'o.collname')})
        FROM pg_catalog.pg_collation AS o JOIN pg_catalog.pg_namespace AS s ON s.oid = o.collnamespace
        WHERE o.oid = r.rngcollation AND o.oid <> (SELECT y.typcollation FROM pg_catalog.pg_type AS y WHERE y.oid = r.rngsubtype)),
      ${routine('CANONICAL', 'r.rngcanonical')}, ${routine('SUBTYPE_DIFF', 'r.rngsubdiff')}), ')')
  FROM pg_catalog.pg_range AS r WHERE r.rngtypid = t.oid)`;

/**
 * A table's row type is described with the table; a composite type (`typtype` c) has a relation of
 * kind c.
 */
const objectsSql = `SELECT CAST(pg_catalog.json_build_array(schema, name, kind, comment, definition) AS pg_catalog.text) FROM (
  SELECT n.nspname AS schema, p.proname AS name,
    CASE p.prokind WHEN 'p' THEN 'procedure' WHEN 'a' THEN 'aggregate' ELSE 'function' END AS kind,
    pg_catalog.obj_description(p.oid, 'pg_proc') AS comment,
    CASE WHEN p.prokind = 'a' THEN ${aggregate} ELSE pg_catalog.rtrim(pg_catalog.pg_get_functiondef(p.oid), E'\\n') END AS definition
  FROM pg_catalog.pg_proc AS p JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace WHERE ${named('p.proname')}
  UNION ALL
  SELECT n.nspname, t.typname,
    CASE t.typtype WHEN 'e' THEN 'enum' WHEN 'd' THEN 'domain' WHEN 'r' THEN 'range' ELSE 'composite' END,
    pg_catalog.obj_description(t.oid, 'pg_type'),
    CASE t.typtype
      WHEN 'e' THEN pg_catalog.concat('CREATE TYPE ', ${qualified('n.nspname', 't.typname')}, ' AS ENUM (', ${labels}, ')')
      WHEN 'd' THEN ${domain}
      WHEN 'c' THEN pg_catalog.concat('CREATE TYPE ', ${qualified('n.nspname', 't.typname')}, ' AS (', ${attributes}, ')')
      WHEN 'r' THEN ${range} END
  FROM pg_catalog.pg_type AS t JOIN pg_catalog.pg_namespace AS n ON n.oid = t.typnamespace
  WHERE ${named('t.typname')} AND (t.typtype IN ('e', 'd', 'r')
    OR (t.typtype = 'c' AND EXISTS (SELECT FROM pg_catalog.pg_class AS c WHERE c.oid = t.typrelid AND c.relkind = 'c')))
) AS found ORDER BY schema IN ('pg_catalog', 'information_schema'), schema, kind, definition LIMIT 20`;

type Row = [string, string, ObjectDescription['kind'], string | null, string | null];

/** @param name as spelled; if there is none, also as SQL reads it and its schema unquoted. */
export async function describeObjects(
  pool: Pool,
  context: CallContext,
  name: string,
): Promise<Answer<readonly ObjectDescription[]>> {
  const spelled = await ask(pool, context, objectsSql, [name, context.schema]);
  const folded = [name.toLowerCase(), context.schema?.toLowerCase() ?? null];
  const isFolded = folded[0] === name && folded[1] === context.schema;
  const isNone = spelled.kind === 'done' && spelled.value.length === 0;
  const answer = isNone && !isFolded ? await ask(pool, context, objectsSql, folded) : spelled;
  if (answer.kind !== 'done') return answer;
  return {
    kind: 'done',
    value: answer.value.map(line => {
      const [schema, found, kind, comment, definition] = JSON.parse(line) as Row;
      return { schema, name: found, kind, comment, definition: definition === null ? null : `${definition};` };
    }),
  };
}
