/** Engines that roll back what they hold themselves, in lower case; FEDERATED, SPIDER and their like hold it elsewhere. */
export const ownTransactions: ReadonlySet<string> = new Set(['innodb', 'rocksdb', 'ndbcluster', 'ndb', 'tokudb']);
