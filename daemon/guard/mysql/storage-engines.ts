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
