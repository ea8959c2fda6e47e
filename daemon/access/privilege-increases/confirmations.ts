/**
 * The register of what Sallyport.app is asked to confirm for other shells (spec §11): how many may
 * wait, and the one verdict of each. Others decide who the app is and what an approval allows.
 */

import type { ConfirmationView, ConfirmationWithdrawn } from '../../../shared/control-commands.ts';
import { confirmationQuiet } from './confirmation-quiet.ts';

/** Limits on what Sallyport.app is asked to confirm for other shells. */
export const confirmationLimits = {
  /** Without an answer it is denied after this long. */
  lifetimeSeconds: 300,
  /** More would bury the request that the person has made. One shell has one at most. */
  open: 3,
  /**
   * Quiet after a denial or no answer; otherwise a program would ask until somebody clicks the
   * other button. It doubles until an approval and counts for all shells together: another
   * connection or name costs a program nothing.
   */
  quietSecondsAfterNo: 60,
  /**
   * The same if the asking shell left: a window that keeps appearing and vanishing is endless
   * asking, too.
   */
  quietSecondsAfterLeaving: 5,
  /** The longest quiet; after as long without a request it starts again. */
  longestQuietSeconds: 3_600,
} as const;

/** A shell's connection, compared by identity. */
type Asker = object;

type ConfirmationEnd = ConfirmationWithdrawn['because'];

export type ConfirmationVerdict =
  | { readonly kind: ConfirmationEnd }
  /** Another request was denied while this one waited. */
  | { readonly kind: 'no_to_another' }
  /** This shell has one open. */
  | { readonly kind: 'one_waits' }
  | { readonly kind: 'too_many_open' }
  /** The last request was not approved: nothing is asked for a while. */
  | { readonly kind: 'quiet'; readonly secondsLeft: number };

export type ConfirmationEvent =
  | { readonly kind: 'asked'; readonly confirmation: ConfirmationView }
  | ({ readonly kind: 'withdrawn' } & ConfirmationWithdrawn);

interface ConfirmationPorts {
  /** Wall clock, milliseconds since 1970. */
  readonly now: () => number;
  readonly newId: () => string;
  /** Runs once after so long, unless the returned function is called first. */
  readonly after: (milliseconds: number, run: () => void) => () => void;
  readonly tell: (event: ConfirmationEvent) => void;
  readonly limits: { readonly [Name in keyof typeof confirmationLimits]: number };
}

type Asked = Pick<ConfirmationView, 'sentence' | 'facts' | 'shell'>;

export interface IncreaseConfirmations {
  /** Resolves with the one verdict. Never rejects. */
  ask(asker: Asker, asked: Asked, signal: AbortSignal): Promise<ConfirmationVerdict>;
  pending(): readonly ConfirmationView[];
  /**
   * @returns false if none such waits, or if it belongs to the answering shell: nobody confirms
   *   their own request.
   */
  decide(by: Asker, id: string, answer: 'yes' | 'no'): boolean;
}

interface Open {
  readonly confirmation: ConfirmationView;
  readonly asker: Asker;
  readonly settle: (end: ConfirmationEnd, verdict?: ConfirmationVerdict) => void;
}

export function openIncreaseConfirmations(ports: ConfirmationPorts): IncreaseConfirmations {
  const { now, limits, tell } = ports;
  const open = new Map<string, Open>();
  const quiet = confirmationQuiet(limits, now);

  return {
    async ask(asker, asked, signal) {
      if (signal.aborted) return { kind: 'cancelled' };
      if ([...open.values()].some(other => other.asker === asker)) return { kind: 'one_waits' };
      const secondsLeft = quiet.secondsLeft();
      if (secondsLeft > 0) return { kind: 'quiet', secondsLeft };
      if (open.size >= limits.open) return { kind: 'too_many_open' };
      const lifetime = limits.lifetimeSeconds * 1000;
      const confirmation: ConfirmationView = {
        ...asked,
        id: ports.newId(),
        askedAt: new Date(now()).toISOString(),
        expiresAt: new Date(now() + lifetime).toISOString(),
      };
      return new Promise(resolve => {
        const settle = (end: ConfirmationEnd, verdict: ConfirmationVerdict = { kind: end }): void => {
          if (!open.delete(confirmation.id)) return;
          cancelTimer();
          signal.removeEventListener('abort', onAbort);
          if (verdict.kind === end) quiet.heard(end);
          tell({ kind: 'withdrawn', id: confirmation.id, because: end });
          resolve(verdict);
        };
        const onAbort = (): void => settle('cancelled');
        const cancelTimer = ports.after(lifetime, () => settle('timeout'));
        signal.addEventListener('abort', onAbort);
        open.set(confirmation.id, { confirmation, asker, settle });
        tell({ kind: 'asked', confirmation });
      });
    },

    pending: () => [...open.values()].map(({ confirmation }) => confirmation),

    decide(by, id, answer) {
      const asked = open.get(id);
      if (asked === undefined || asked.asker === by) return false;
      // After sleep a timer may be late: the wall clock decides.
      const isLate = now() >= Date.parse(asked.confirmation.expiresAt);
      asked.settle(isLate ? 'timeout' : answer);
      // For all shells: a program that asks through several connections would make the person deny
      // each.
      if (!isLate && answer === 'no') {
        for (const other of [...open.values()]) other.settle('no', { kind: 'no_to_another' });
      }
      return !isLate;
    },
  };
}
