/**
 * Which process asked, and how the log says so (spec §11, §14). Looks nothing up: the wiring does,
 * in daemon/process-origin.ts.
 */

export interface ProcessOrigin {
  readonly pid: number;
  /** `/dev/pts/3`; null without a controlling terminal. */
  readonly terminal: string | null;
  /** By name, outermost first, the asking program last: `claude`, `bash`, `sallyport`. */
  readonly programs: readonly string[];
}

/** How a person confirmed a request; null where nothing was confirmed. */
export type ConfirmedBy = 'passphrase' | 'app' | null;

/**
 * Of the programs around the asking one: so many of the outermost, and so many of those nearest to
 * it, are named.
 */
const namedAtEachEnd = 3;

/**
 * `sallyport (process 4242, started by claude, bash) on /dev/pts/3`. Never so long that the log
 * would cut the terminal off.
 * @param shell as the asking shell calls itself, which is all there is where its process isn't
 * known.
 */
export function originWords(origin: ProcessOrigin | null, shell: string): string {
  if (origin === null) return `a program that did not say which (it calls itself ${shell})`;
  const { pid, terminal, programs } = origin;
  const around = programs.slice(0, -1);
  const named =
    around.length > 2 * namedAtEachEnd
      ? [...around.slice(0, namedAtEachEnd), '…', ...around.slice(-namedAtEachEnd)]
      : around;
  const started = named.length === 0 ? '' : `, started by ${named.join(', ')}`;
  const where = terminal === null ? 'without a terminal' : `on ${terminal}`;
  return `${programs.at(-1) ?? 'a program'} (process ${pid}${started}) ${where}`;
}

/**
 * `yes by sallyport (process …) on /dev/pts/3, confirmed with the owner passphrase`.
 * @param who as {@link originWords} has it.
 */
export function answerWords(answer: 'yes' | 'no', who: string, confirmedBy: ConfirmedBy): string {
  return `${answer} by ${who}, ${howConfirmed(confirmedBy)}`;
}

export function howConfirmed(confirmedBy: ConfirmedBy): string {
  switch (confirmedBy) {
    case 'passphrase':
      return 'confirmed with the owner passphrase';
    case 'app':
      return 'confirmed in Sallyport.app';
    case null:
      return 'without confirmation';
  }
}
