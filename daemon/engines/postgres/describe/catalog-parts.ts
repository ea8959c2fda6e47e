/** Parts that several of our catalog queries share. */

export const list = (object: string, from: string, order: string) =>
  `(SELECT coalesce(pg_catalog.json_agg(${object} ORDER BY ${order}), '[]') ${from})`;

/**
 * How constraint k differs from one in force, in SQL's words; null if it doesn't. NO INHERIT stands
 * for every key, so only for others does it say anything. NOT ENFORCED came with PostgreSQL 18; a
 * key is also out of force if ALTER TABLE … DISABLE TRIGGER ALL took its triggers away.
 */
export const stateOfConstraint = `nullif(pg_catalog.concat_ws(' ',
    CASE WHEN k.confmatchtype = 'f' THEN 'MATCH FULL' END,
    CASE WHEN k.connoinherit AND k.contype IN ('c', 'n') THEN 'NO INHERIT' END,
    CASE WHEN k.condeferrable THEN 'DEFERRABLE' END,
    CASE WHEN k.condeferred THEN 'INITIALLY DEFERRED' END,
    CASE WHEN NOT k.convalidated THEN CASE WHEN pg_catalog.pg_get_constraintdef(k.oid) LIKE '% NOT ENFORCED' THEN 'NOT ENFORCED' ELSE 'NOT VALID' END END,
    CASE WHEN (k.contype = 'f' OR k.condeferrable) AND EXISTS (SELECT FROM pg_catalog.pg_trigger AS g WHERE g.tgconstraint = k.oid AND g.tgisinternal AND g.tgenabled IN ('D', 'R'))
      THEN 'DISABLED' END), '')`;

/** Guards what costs much and is new: the catalogs of each version have other columns. */
export const isSince18 = "CAST(pg_catalog.current_setting('server_version_num') AS pg_catalog.int4) >= 180000";

/** The options of sequence q. */
export const sequenceOptions = `pg_catalog.concat_ws(' ', 'START WITH', q.seqstart, 'INCREMENT BY', q.seqincrement, 'MINVALUE', q.seqmin,
    'MAXVALUE', q.seqmax, 'CACHE', q.seqcache, CASE WHEN q.seqcycle THEN 'CYCLE' END)`;

/** COLLATE with what DDL needs to find it; null if it is the type's own. */
export const collation = (oid: string, ofType: string) => `CASE WHEN ${oid} <> ${ofType} THEN (
      SELECT pg_catalog.concat('COLLATE ', CASE WHEN s.nspname <> 'pg_catalog' THEN pg_catalog.concat(pg_catalog.quote_ident(s.nspname), '.') END,
        pg_catalog.quote_ident(o.collname))
      FROM pg_catalog.pg_collation AS o JOIN pg_catalog.pg_namespace AS s ON s.oid = o.collnamespace WHERE o.oid = ${oid}) END`;

/** The options of a foreign data wrapper with their values; empty for null. */
export const wrapperOptions = (options: string) =>
  `ARRAY(SELECT pg_catalog.concat_ws(' ', pg_catalog.quote_ident(o.option_name), pg_catalog.quote_literal(o.option_value))
    FROM pg_catalog.pg_options_to_table(${options}) AS o)`;
