/**
 * Engines that roll back what they hold themselves, in lower case; FEDERATED, SPIDER and their like
 * hold it elsewhere.
 */
export const ownTransactions: ReadonlySet<string> = new Set(['innodb', 'rocksdb', 'ndbcluster', 'ndb', 'tokudb']);

/**
 * Engines without transactions whose unique keys are unique, as those of MERGE or FEDERATED needn't
 * be.
 */
export const keepsKeys: readonly string[] = ['MyISAM', 'MEMORY', 'Aria'];
