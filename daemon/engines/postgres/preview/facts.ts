/** Asks the catalog about the tables that a statement writes to, in one read-only query. */

import { quoteQualified } from '../../../guard/identifiers.ts';
import type { Hooks } from '../../../guard/postgres/behind-change.ts';
import { madeHere, rollsBack } from '../../../guard/postgres/lookup-parts.ts';
import type { QualifiedName } from '../../../guard/types.ts';
import { valueOrThrow } from '../../answering.ts';
import type { CallContext, Database } from '../../engine.ts';
import { lookUp } from '../../look-up.ts';
import { arrayText } from '../dialect/parameters.ts';

export interface PostgresFacts {
  /** The target; null if there is none of this name. */
  readonly target: {
    /** Quoted, with its schema. */
    readonly name: string;
    /**
     * The columns of its primary key; empty for a parent, whose children may hold rows with the
     * same keys.
     */
    readonly key: readonly string[];
    readonly hasKey: boolean;
    readonly isView: boolean;
    readonly hasRules: boolean;
    /** True if written rows may be read back: SELECT privilege, no row security. */
    readonly mayRead: boolean;
  } | null;
  /**
   * Foreign tables among all that may be written to, through views, inheritance, partitions and
   * foreign keys.
   */
  readonly foreignTables: readonly string[];
  readonly hooks: Hooks;
}

/**
 * Asked in the transaction, in which everything written to is locked until its end, at every level.
 * A row trigger is named if the session's counters have its event; bits of `tgtype`: ROW 1, BEFORE
 * 2, INSERT 4, DELETE 8, UPDATE 16, INSTEAD 64.
 */
export const triggersOf = `
SELECT t.tgname FROM pg_catalog.pg_trigger AS t CROSS JOIN LATERAL (SELECT
  CASE WHEN pg_catalog.pg_stat_get_xact_tuples_inserted(t.tgrelid) OPERATOR(pg_catalog.>) 0 THEN 4 ELSE 0 END
  OPERATOR(pg_catalog.|) CASE WHEN pg_catalog.pg_stat_get_xact_tuples_deleted(t.tgrelid) OPERATOR(pg_catalog.>) 0 THEN 8 ELSE 0 END
  OPERATOR(pg_catalog.|) CASE WHEN pg_catalog.pg_stat_get_xact_tuples_updated(t.tgrelid) OPERATOR(pg_catalog.>) 0 THEN 16 ELSE 0 END) AS e (happened)
WHERE NOT t.tgisinternal AND t.tgenabled OPERATOR(pg_catalog.=) ANY (CASE
  WHEN pg_catalog.current_setting('session_replication_role') OPERATOR(pg_catalog.=) 'replica' THEN CAST('{A,R}' AS pg_catalog._char)
  ELSE CAST('{A,O}' AS pg_catalog._char) END)
AND (t.tgtype OPERATOR(pg_catalog.&) 67 OPERATOR(pg_catalog.<>) 1 OR CAST(t.tgtype AS pg_catalog.int4) OPERATOR(pg_catalog.&) e.happened OPERATOR(pg_catalog.<>) 0)
AND t.tgrelid IN (SELECT l.relation FROM pg_catalog.pg_locks AS l WHERE l.locktype OPERATOR(pg_catalog.=) 'relation'
  AND l.pid OPERATOR(pg_catalog.=) pg_catalog.pg_backend_pid() AND l.mode OPERATOR(pg_catalog.=) 'RowExclusiveLock')
ORDER BY t.tgname`;

const listOf = (expression: string, from: string): string =>
  `COALESCE((SELECT pg_catalog.json_agg(${expression}) FROM ${from}), CAST('[]' AS pg_catalog.json))`;
const isReached = (column: string): string => `${column} IN (SELECT oid FROM reached)`;

/**
 * The `Hooks` of the relations in `reached`. PostgreSQL's own triggers leave nothing behind and are
 * left out.
 */
export const hooksOfReached = `pg_catalog.json_build_object(
  'functions', ${listOf(
    "pg_catalog.json_build_object('schema', n.nspname, 'name', p.proname)",
    `pg_catalog.pg_trigger AS t JOIN pg_catalog.pg_proc AS p ON p.oid = t.tgfoid JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace
    WHERE ${isReached('t.tgrelid')} AND NOT t.tgisinternal AND t.tgenabled <> 'D' AND n.nspname <> 'pg_catalog'`,
  )},
  'definitions', ${listOf(
    'd.definition',
    `(SELECT pg_catalog.pg_get_triggerdef(t.oid) AS definition FROM pg_catalog.pg_trigger AS t
    WHERE ${isReached('t.tgrelid')} AND NOT t.tgisinternal AND t.tgenabled <> 'D' AND t.tgqual IS NOT NULL
    UNION ALL
    SELECT pg_catalog.pg_get_ruledef(w.oid) FROM pg_catalog.pg_rewrite AS w
    WHERE ${isReached('w.ev_class')} AND w.ev_type <> '1' AND w.ev_enabled <> 'D') AS d`,
  )},
  'expressions', ${listOf(
    'e.expression',
    `(SELECT pg_catalog.pg_get_expr(d.adbin, d.adrelid) AS expression FROM pg_catalog.pg_attrdef AS d WHERE ${isReached('d.adrelid')}
    UNION
    SELECT pg_catalog.pg_get_expr(c.conbin, c.conrelid) FROM pg_catalog.pg_constraint AS c WHERE ${isReached('c.conrelid')} AND c.contype = 'c'
    UNION
    SELECT pg_catalog.pg_get_expr(x.tree, i.indrelid) FROM pg_catalog.pg_index AS i
    CROSS JOIN LATERAL (VALUES (i.indexprs), (i.indpred)) AS x (tree) WHERE ${isReached('i.indrelid')}
    UNION
    SELECT pg_catalog.pg_get_expr(x.tree, p.polrelid) FROM pg_catalog.pg_policy AS p
    CROSS JOIN LATERAL (VALUES (p.polqual), (p.polwithcheck)) AS x (tree) WHERE ${isReached('p.polrelid')}) AS e
    WHERE e.expression IS NOT NULL`,
  )},
  'hasDomains', EXISTS (SELECT FROM pg_catalog.pg_attribute AS a JOIN pg_catalog.pg_type AS t ON t.oid = a.atttypid
    WHERE ${isReached('a.attrelid')} AND t.typtype IN ('d', 'c') AND NOT a.attisdropped),
  'usesNumbers', EXISTS (SELECT FROM pg_catalog.pg_attribute AS a WHERE ${isReached('a.attrelid')} AND a.attidentity <> '' AND NOT a.attisdropped
      AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend AS s WHERE s.refclassid = CAST('pg_catalog.pg_class' AS pg_catalog.regclass)
        AND s.refobjid = a.attrelid AND s.refobjsubid = a.attnum AND s.deptype = 'i' AND s.objid IN (${madeHere})))
    OR EXISTS (SELECT FROM pg_catalog.pg_attrdef AS d WHERE ${isReached('d.adrelid')}
      AND pg_catalog.strpos(pg_catalog.pg_get_expr(d.adbin, d.adrelid), 'nextval(') > 0
      AND NOT (pg_catalog.pg_get_expr(d.adbin, d.adrelid) ~ '^nextval[(]''[^'']+''::regclass[)]$' AND EXISTS (SELECT FROM pg_catalog.pg_depend AS s
        WHERE s.classid = CAST('pg_catalog.pg_attrdef' AS pg_catalog.regclass) AND s.objid = d.oid AND s.refobjid IN (${madeHere})
          AND s.refobjid <> d.adrelid))),
  'tables', ${listOf(
    "pg_catalog.json_build_object('schema', n.nspname, 'name', c.relname)",
    `pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace WHERE ${isReached('c.oid')}`,
  )})`;

const question = `
WITH RECURSIVE given AS (
  SELECT pg_catalog.to_regclass(n.name) AS oid, n.place FROM pg_catalog.unnest(CAST($1 AS pg_catalog.text[])) WITH ORDINALITY AS n (name, place)
), reached (oid) AS (
  SELECT CAST(oid AS pg_catalog.oid) FROM given WHERE oid IS NOT NULL
  UNION
  SELECT next.oid FROM reached AS r CROSS JOIN LATERAL (
    SELECT i.inhrelid FROM pg_catalog.pg_inherits AS i WHERE i.inhparent = r.oid
    UNION ALL
    SELECT d.refobjid FROM pg_catalog.pg_rewrite AS w
    JOIN pg_catalog.pg_depend AS d ON d.classid = CAST('pg_catalog.pg_rewrite' AS pg_catalog.regclass) AND d.objid = w.oid
    WHERE w.ev_class = r.oid AND d.refclassid = CAST('pg_catalog.pg_class' AS pg_catalog.regclass) AND d.refobjid <> r.oid
    UNION ALL
    SELECT c.conrelid FROM pg_catalog.pg_constraint AS c
    WHERE c.confrelid = r.oid AND c.contype = 'f' AND (c.confdeltype IN ('c', 'n', 'd') OR c.confupdtype IN ('c', 'n', 'd'))
    UNION ALL
    -- What a trigger writes to shows only once it ran: too late where that may not be rolled back.
    SELECT f.ftrelid FROM pg_catalog.pg_trigger AS t JOIN pg_catalog.pg_proc AS p ON p.oid = t.tgfoid
    CROSS JOIN pg_catalog.pg_foreign_table AS f JOIN pg_catalog.pg_class AS c ON c.oid = f.ftrelid
    WHERE t.tgrelid = r.oid AND NOT t.tgisinternal AND NOT ${rollsBack('f.ftrelid')}
    AND pg_catalog.strpos(pg_catalog.lower(p.prosrc), pg_catalog.lower(c.relname::pg_catalog.text)) > 0
  ) AS next (oid)
), target AS (
  SELECT c.* , n.nspname FROM given AS g JOIN pg_catalog.pg_class AS c ON c.oid = g.oid
  JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace WHERE g.place = 1
)
SELECT CAST(pg_catalog.json_build_object(
  'target', (SELECT pg_catalog.json_build_object(
    'name', pg_catalog.format('%I.%I', t.nspname, t.relname), 'isView', t.relkind = 'v',
    'hasKey', EXISTS (SELECT FROM pg_catalog.pg_index AS i WHERE i.indrelid = t.oid AND i.indisprimary), 'hasRules', t.relhasrules,
    'mayRead', pg_catalog.has_table_privilege(t.oid, 'SELECT') AND NOT pg_catalog.row_security_active(t.oid),
    'key', COALESCE((SELECT pg_catalog.json_agg(a.attname ORDER BY p.place) FROM pg_catalog.pg_index AS i
      CROSS JOIN LATERAL pg_catalog.generate_series(0, i.indnkeyatts - 1) AS p (place)
      JOIN pg_catalog.pg_attribute AS a ON a.attrelid = t.oid AND a.attnum = (CAST(i.indkey AS pg_catalog.int2[]))[p.place]
      WHERE i.indrelid = t.oid AND i.indisprimary AND i.indisvalid AND i.indimmediate
      AND (t.relkind = 'p' OR NOT t.relhassubclass)), CAST('[]' AS pg_catalog.json)))
    FROM target AS t),
  'foreignTables', COALESCE((SELECT pg_catalog.json_agg(CAST(CAST(c.oid AS pg_catalog.regclass) AS pg_catalog.text)) FROM pg_catalog.pg_class AS c
    WHERE c.oid IN (SELECT oid FROM reached) AND c.relkind = 'f'), CAST('[]' AS pg_catalog.json)),
  'hooks', ${hooksOfReached}
) AS pg_catalog.text)`;

/** @param writes the target first. */
export async function postgresFacts(
  database: Database,
  context: CallContext,
  writes: readonly QualifiedName[],
): Promise<PostgresFacts> {
  const names = writes.map(({ schema, name }) => quoteQualified('postgres', schema, name));
  const [row] = valueOrThrow(await lookUp(database, context, question, [arrayText(names)]));
  return JSON.parse(String(row?.[0]));
}
