/** Limits that several files of the PostgreSQL adapter share, each with its reason. */

export const limits = {
  /** How much later than the server's own timeout a silent server is given up. */
  guardMilliseconds: 1_000,
  /** For ROLLBACK and DISCARD ALL: a hung server must not be waited for. */
  endMilliseconds: 30_000,
  cancelMilliseconds: 2_000,
} as const;
