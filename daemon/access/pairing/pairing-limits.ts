/** The times and counts of pairing (spec §10). */
export const pairingLimits = {
  /** From the request: the daemon refuses a later decision, whatever the sheet shows. */
  requestSeconds: 300,
  codeSeconds: 300,
  /** So long after its end a code is still known to have expired (410), then it never was (404). */
  expiredCodeRememberedSeconds: 600,
  /** Sheets waiting behind the open one. */
  waitingSheets: 3,
} as const;
