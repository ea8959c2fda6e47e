/** Every number that bounds the PostgreSQL adapter, with its reason. Decides nothing itself. */

export const limits = {
  /**
   * Sessions per database that one client may hold, as many as it may have requests under way; `mostSessions` in all. A
   * small server allows 100.
   */
  sharedSessions: 8,
  /** One more for the names of user-defined types, so that statements waiting for a name can't block each other. */
  lookUpConnections: 1,
  idleMilliseconds: 5 * 60_000,
  /** A connection idle for longer may have died unseen (sleep, another network): its first answer is awaited below. */
  checkAfterIdleMilliseconds: 5_000,
  checkMilliseconds: 3_000,
  connectMilliseconds: 10_000,
  /** How long to wait for a session that is just being given back, rather than dial another. */
  returnMilliseconds: 50,
  keepAliveMilliseconds: 15_000,
  /** Everything a server may say before it is ready; a real one says about 500 bytes. */
  startupBytes: 64 * 1024,
  /** A message that is neither a row nor an error: 1,664 columns describe themselves in 150 KB. */
  messageBytes: 1024 * 1024,
  /** Of an error: it may quote a cell of any size, and a client is told 4,000 characters. What is longer is not read. */
  errorBytes: 64 * 1024,
  /** Of a notice: a client is told 500 characters, and there may be a million of them. */
  noticeBytes: 4 * 1024,
  /** A row up to here is read whole; a longer one cell by cell, keeping of each only what may be shown. */
  wholeRowBytes: 128 * 1024,
  /** After the reader has enough, what may still be read to keep the connection rather than cut it. */
  drainBytes: 512 * 1024,
  drainMilliseconds: 250,
  /** How often a server that can looks, in the middle of a statement, whether we are still there: it ends what a killed daemon ran. */
  clientCheckMilliseconds: 1_000,
  /** How much later than the server's own timeout a silent server is given up. */
  guardMilliseconds: 1_000,
  /** ROLLBACK and DISCARD ALL: a hung server must not be waited for. */
  endMilliseconds: 30_000,
  /** COMMIT waits for disks, replicas and deferred constraints, however short the call's own timeout is. */
  leastCommitMilliseconds: 4_000,
  /** A ROLLBACK that a client waits for: the server has nothing to undo for it. */
  takeBackMilliseconds: 3_000,
  cancelMilliseconds: 2_000,
  rollbackLockMilliseconds: 2_000,
  /** Of a trial that gives way: how long it waits for a lock, and how often it is looked whether somebody waits for one of its own. */
  trialLockMilliseconds: 200,
  trialLookMilliseconds: 50,
  /** NAMEDATALEN - 1; the server cuts there too, in the middle of a character. */
  applicationNameBytes: 63,
  /** The protocol counts parameters in 16 bits. */
  parameters: 65_535,
} as const;
