/** Every bound of the door for PostgreSQL's protocol, each with its reason. */

const mib = 1024 * 1024;

export const wireLimits = {
  /** A door's programs at once: two pools of an application's usual size, and tools. */
  clients: 64,
  /** A start-up packet (the server's own bound, 10,000 bytes). */
  startUpBytes: 10_000,
  /** A message: no text that is judged is longer, and a value bound to one may be a picture. */
  messageBytes: 16 * mib,
  /** An answer that is no row: 1,664 columns are described in 150 KB, an error quotes a cell. */
  answerBytes: 16 * mib,
  /** One statement's results pass through and are kept nowhere, so a dump of a table fits. */
  resultBytes: 1024 * mib,
  /** What may wait for a slow reader before the server is no longer read. */
  waitingBytes: 1 * mib,
  /** What a client may have sent ahead. */
  aheadBytes: 1 * mib,
  /** Messages of it that the server may still owe an answer to. */
  aheadMessages: 10_000,
  /** Prepared statements' texts that a session keeps, as UTF-16; portals and cursors by number. */
  keptBytes: 32 * mib,
  keptPortals: 10_000,
  /** For the start-up packet to arrive. */
  startUpMilliseconds: 10_000,
  /** For a session with the server: as long as a program waits before it says so itself. */
  dialMilliseconds: 30_000,
  /** After a cancel the server must answer, or its session ends. */
  cancelMilliseconds: 2_000,
  /** A transaction that waits for its program holds back the server's VACUUM. */
  idleTransactionMilliseconds: 5 * 60_000,
  /** How soon it is looked again whether the server has caught up. */
  paceMilliseconds: 5,
  /** How often clocks, pauses and access are looked at; a client leaves within a second. */
  lookMilliseconds: 250,
  /** Statements of a door in any minute: 10,000 a second. */
  statementsPerMinute: 600_000,
  /** Statements of a session that get a row each in a minute; beyond, one for each text. */
  rowsPerMinute: 300,
};
