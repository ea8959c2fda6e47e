/**
 * Engines that roll back the rows that they hold themselves, in lower case. FEDERATED, SPIDER and
 * their like hold rows elsewhere.
 */
export const ownTransactions: ReadonlySet<string> = new Set(['innodb', 'rocksdb', 'ndbcluster', 'ndb', 'tokudb']);

/**
 * Engines without transactions whose unique keys are really unique. Those of MERGE or FEDERATED
 * needn't be.
 */
export const keepsKeys: readonly string[] = ['MyISAM', 'MEMORY', 'Aria'];

/**
 * Engines that keep a table's rows in the table, in upper case. The rows of a MERGE table are those
 * of other tables.
 */
export const keptInside: ReadonlySet<string> = new Set(
  'INNODB MYISAM MEMORY HEAP ARIA CSV ARCHIVE ROCKSDB TOKUDB'.split(' '),
);

/**
 * Engines whose tables show no rows of other tables: also those that keep none, or keep them on
 * hosts of their own.
 */
export const ownRows: readonly string[] = [
  ...keptInside,
  ...'BLACKHOLE COLUMNSTORE MROONGA NDB NDBCLUSTER SEQUENCE'.split(' '),
];
