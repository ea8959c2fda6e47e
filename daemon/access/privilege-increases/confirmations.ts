/**
 * The register of what Sallyport.app is asked to confirm for other shells (spec §11): how many may
 * wait, and the one verdict each gets. Who is the app, and what a yes lets happen, is not decided
 * here.
 */

import type { ConfirmationView, ConfirmationWithdrawn } from '../../../shared/control-commands.ts';
import { confirmationQuiet } from './confirmation-quiet.ts';

/** The bounds of what Sallyport.app is asked to confirm for other shells. */
export const confirmationLimits = {
  /** One that nobody answers is a no after this long. */
  lifetimeSeconds: 300,
  /** More would bury the one that the person has asked for. One shell has one of them at most. */
  open: 3,
  /**
   * After a no, or after nobody answered: else a program asks until somebody clicks the other
   * button. Doubles with each that is not a yes, for shells of all kinds together: another
   * connection, or another name, costs a program nothing.
   */
  quietSecondsAfterNo: 60,
  /**
   * The same where the asking shell left: a window that comes and goes without end is asking
   * without end.
   */
  quietSecondsAfterLeaving: 5,
  /** As far as it grows; after as long without anything asked it begins anew. */
  longestQuietSeconds: 3_600,
} as const;

/** A shell's connection, by identity. */
type Asker = object;

type ConfirmationEnd = ConfirmationWithdrawn['because'];

export type ConfirmationVerdict =
  | { readonly kind: ConfirmationEnd }
  /** Another was answered with no while this waited. */
  | { readonly kind: 'no_to_another' }
  /** This very shell has one open. */
  | { readonly kind: 'one_waits' }
  | { readonly kind: 'too_many_open' }
  /** The last was not answered with yes: nothing is asked for a while. */
  | { readonly kind: 'quiet'; readonly secondsLeft: number };

export type ConfirmationEvent =
  | { readonly kind: 'asked'; readonly confirmation: ConfirmationView }
  | ({ readonly kind: 'withdrawn' } & ConfirmationWithdrawn);

interface ConfirmationPorts {
  /** Wall clock, milliseconds since 1970. */
  readonly now: () => number;
  readonly newId: () => string;
  /** Runs once after so long, unless the returned function is called before. */
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
   * False where none such waits, or where it is the answering one's own: nobody confirms for
   * themselves.
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
      // A timer may be late after a laptop slept: the wall clock has the last word.
      const isLate = now() >= Date.parse(asked.confirmation.expiresAt);
      asked.settle(isLate ? 'timeout' : answer);
      // Of all shells: a program that asks through several connections would have the person say no
      // to each.
      if (!isLate && answer === 'no') {
        for (const other of [...open.values()]) other.settle('no', { kind: 'no_to_another' });
      }
      return !isLate;
    },
  };
}
