/** The bounds of what Sallyport.app is asked to confirm for other shells (SPEC §11 Widening). */

export const confirmationLimits = {
  /** One that nobody answers is a no after this long. */
  lifetimeSeconds: 300,
  /** More would bury the one that the person has asked for. */
  open: 3,
  /** After a no: else a program asks until somebody clicks the other button. */
  quietSecondsAfterNo: 60,
} as const;
