/**
 * Whether a server ends a statement at its time limit and when it is cancelled, as
 * `connections test` tries it. Words alone; each engine tries it in its own way.
 */

/** Null: it couldn't be tried. */
export interface Stops {
  readonly atLimit: boolean | null;
  readonly atCancel: boolean | null;
}

/** The trial's statement sleeps so long if nothing ends it; PostgreSQL's is cancelled later. */
export const sleepSeconds = 1;
export const trialLimitMilliseconds = 200;
export const trialCancelMilliseconds = 100;

export function stopWarnings({ atLimit, atCancel }: Stops): readonly string[] {
  const limit = "The server doesn't end a statement at its time limit";
  const cancel = "The server doesn't end a statement that is cancelled";
  const left = 'Sallyport leaves it then, and it may run on in the server.';
  if (atLimit === false && atCancel === false) return [`${limit}, nor one that is cancelled: ${left}`];
  return [...(atLimit === false ? [`${limit}: ${left}`] : []), ...(atCancel === false ? [`${cancel}: ${left}`] : [])];
}
