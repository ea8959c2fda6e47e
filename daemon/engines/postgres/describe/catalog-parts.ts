/** Parts that several of our catalog queries share. */

export const list = (object: string, from: string, order: string) =>
  `(SELECT coalesce(pg_catalog.json_agg(${object} ORDER BY ${order}), '[]') ${from})`;

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
