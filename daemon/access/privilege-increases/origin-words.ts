/**
 * Words which process asked, for the log (spec §11, §14). Looks nothing up;
 * daemon/processes/process-origin.ts does.
 */

import type { Lineage } from '../limits/crowd.ts';

export interface ProcessOrigin {
  readonly pid: number;
  /** `/dev/pts/3`; null without a controlling terminal. */
  readonly terminal: string | null;
  /** By name, outermost first, the asking program last: `claude`, `bash`, `sallyport`. */
  readonly programs: readonly string[];
  /** Where it stands among all processes, itself last. */
  readonly lineage: Lineage;
}

/**
 * How a person confirmed a request. `off`: nobody had to, the passphrase is off; `unattended`: so
 * was the home made. Null if nothing had to be confirmed.
 */
export type ConfirmedBy = 'passphrase' | 'touchId' | 'app' | 'off' | 'unattended' | null;

/**
 * How many programs are named at each end of the chain: the outermost, and those nearest to the
 * asking one.
 */
const namedAtEachEnd = 3;

/**
 * `sallyport (process 4242, started by claude, bash) on /dev/pts/3`. Short enough that the log
 * never cuts the terminal off.
 * @param shell the asking shell's name for itself, used alone if its process isn't known.
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
 * @param who from {@link originWords}.
 */
export function answerWords(answer: 'yes' | 'no', who: string, confirmedBy: ConfirmedBy): string {
  return `${answer} by ${who}, ${howConfirmed(confirmedBy)}`;
}

export function howConfirmed(confirmedBy: ConfirmedBy): string {
  switch (confirmedBy) {
    case 'passphrase':
      return 'confirmed with the owner passphrase';
    case 'touchId':
      return 'confirmed with Touch ID in Sallyport.app';
    case 'app':
      return 'confirmed in Sallyport.app';
    case 'off':
    case 'unattended':
    case null:
      return 'without confirmation';
  }
}
