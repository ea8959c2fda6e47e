/** The bounds of questions to the user (spec §6, §12). */

export const approvalLimits = {
  /** A question nobody answers is a no after this long. */
  lifetimeSeconds: 300,
  /** More would let a client bury the one question that matters. */
  openPerPrincipal: 3,
  /** Each bridge process names itself, so one that keeps giving itself new names would have no bound: eight bridges' worth. */
  openForAllBridges: 24,
  /** After a no: time for the person to do something else than saying no. */
  quietSecondsAfterNo: 60,
  /** A yes to a principal's first use of a connection stands for a working day. */
  rememberHours: 8,
} as const;
