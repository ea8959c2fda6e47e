/** Parts that several of our catalog questions are made of. */

export const list = (object: string, from: string, order: string) =>
  `(SELECT coalesce(pg_catalog.json_agg(${object} ORDER BY ${order}), '[]') ${from})`;

/** What the sequence q counts by. */
export const sequenceOptions = `pg_catalog.concat_ws(' ', 'START WITH', q.seqstart, 'INCREMENT BY', q.seqincrement, 'MINVALUE', q.seqmin,
    'MAXVALUE', q.seqmax, 'CACHE', q.seqcache, CASE WHEN q.seqcycle THEN 'CYCLE' END)`;
