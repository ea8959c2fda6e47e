/** The bounds of what Sallyport.app is asked to confirm for other shells (spec §11 Widening). */

export const confirmationLimits = {
  /** One that nobody answers is a no after this long. */
  lifetimeSeconds: 300,
  /** More would bury the one that the person has asked for. One shell has one of them at most. */
  open: 3,
  /**
   * After a no, or after nobody answered: else a program asks until somebody clicks the other button. Doubles with each that is not
   * a yes, for shells of all kinds together: another connection, or another name, costs a program nothing.
   */
  quietSecondsAfterNo: 60,
  /** The same where the asking shell left: a window that comes and goes without end is asking without end. */
  quietSecondsAfterLeaving: 5,
  /** As far as it grows; after as long without anything asked it begins anew. */
  longestQuietSeconds: 3_600,
} as const;
