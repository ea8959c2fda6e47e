/**
 * The register of what Sallyport.app is asked to confirm for other shells (spec §11): how many may
 * wait, and the one verdict of each. Others decide who the app is and what an approval allows.
 */

import type { AskView, DeskChange } from '../../../shared/control-commands.ts';
import { confirmationBackoff } from './confirmation-backoff.ts';
import type { ConfirmedBy } from './origin-words.ts';

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
type Requester = object;

/** What a yes in the app came with: a click alone, or what proved the owner. */
export type AppsProof = Exclude<ConfirmedBy, 'off' | 'unattended' | null>;

type Withdrawn = NonNullable<DeskChange['ended']>;
type ConfirmationEnd = Withdrawn['because'];

export interface IncreaseConfirmation
  extends Pick<AskView, 'id' | 'askedAt' | 'expiresAt'>,
    NonNullable<AskView['increase']> {
  /** The asking shell's own name for itself; unverified. */
  readonly shell: string;
}

export type ConfirmationVerdict =
  | { readonly kind: Exclude<ConfirmationEnd, 'yes'> }
  | { readonly kind: 'yes'; readonly confirmedBy: AppsProof }
  /** Another request was denied while this one waited. */
  | { readonly kind: 'no_to_another' }
  /** This shell has one open. */
  | { readonly kind: 'one_waits' }
  | { readonly kind: 'too_many_open' }
  /** The last request was not approved: nothing is asked for a while. */
  | { readonly kind: 'quiet'; readonly secondsLeft: number };

export type ConfirmationEvent =
  | { readonly kind: 'asked'; readonly confirmation: IncreaseConfirmation }
  | ({ readonly kind: 'withdrawn' } & Withdrawn);

interface ConfirmationPorts {
  /** Wall clock, milliseconds since 1970. */
  readonly now: () => number;
  readonly newId: () => string;
  /** Runs once after so long, unless the returned function is called first. */
  readonly after: (milliseconds: number, run: () => void) => () => void;
  readonly tell: (event: ConfirmationEvent) => void;
  readonly limits: { readonly [Name in keyof typeof confirmationLimits]: number };
}

type Asked = Pick<IncreaseConfirmation, 'sentence' | 'facts' | 'shell'>;

export interface IncreaseConfirmations {
  /** Resolves with the one verdict. Never rejects. */
  ask(requester: Requester, asked: Asked, signal: AbortSignal): Promise<ConfirmationVerdict>;
  pending(): readonly IncreaseConfirmation[];
  /**
   * @returns false if none such waits, or if it belongs to the answering shell: nobody confirms
   *   their own request.
   */
  decide(by: Requester, id: string, answer: 'no' | { readonly yes: AppsProof }): boolean;
}

type EndVerdict = Extract<ConfirmationVerdict, { readonly kind: ConfirmationEnd | 'no_to_another' }>;

interface Open {
  readonly confirmation: IncreaseConfirmation;
  readonly requester: Requester;
  readonly settle: (verdict: EndVerdict) => void;
}

export function openIncreaseConfirmations(ports: ConfirmationPorts): IncreaseConfirmations {
  const { now, limits, tell } = ports;
  const open = new Map<string, Open>();
  const quiet = confirmationBackoff(limits, now);

  return {
    async ask(requester, asked, signal) {
      if (signal.aborted) return { kind: 'cancelled' };
      if ([...open.values()].some(other => other.requester === requester)) return { kind: 'one_waits' };
      const secondsLeft = quiet.secondsLeft();
      if (secondsLeft > 0) return { kind: 'quiet', secondsLeft };
      if (open.size >= limits.open) return { kind: 'too_many_open' };
      const lifetime = limits.lifetimeSeconds * 1000;
      const confirmation: IncreaseConfirmation = {
        ...asked,
        id: ports.newId(),
        askedAt: new Date(now()).toISOString(),
        expiresAt: new Date(now() + lifetime).toISOString(),
      };
      return new Promise(resolve => {
        const settle = (verdict: EndVerdict): void => {
          if (!open.delete(confirmation.id)) return;
          cancelTimer();
          signal.removeEventListener('abort', onAbort);
          const isOfAnother = verdict.kind === 'no_to_another';
          if (!isOfAnother) quiet.heard(verdict.kind);
          tell({ kind: 'withdrawn', id: confirmation.id, because: isOfAnother ? 'no' : verdict.kind });
          resolve(verdict);
        };
        const onAbort = (): void => settle({ kind: 'cancelled' });
        const cancelTimer = ports.after(lifetime, () => settle({ kind: 'timeout' }));
        signal.addEventListener('abort', onAbort);
        open.set(confirmation.id, { confirmation, requester, settle });
        tell({ kind: 'asked', confirmation });
      });
    },

    pending: () => [...open.values()].map(({ confirmation }) => confirmation),

    decide(by, id, answer) {
      const asked = open.get(id);
      if (asked === undefined || asked.requester === by) return false;
      // After sleep a timer may be late: the wall clock decides.
      const isLate = now() >= Date.parse(asked.confirmation.expiresAt);
      asked.settle(
        isLate ? { kind: 'timeout' } : answer === 'no' ? { kind: 'no' } : { kind: 'yes', confirmedBy: answer.yes },
      );
      // For all shells: a program that asks through several connections would make the person deny
      // each.
      if (!isLate && answer === 'no') {
        for (const other of [...open.values()]) other.settle({ kind: 'no_to_another' });
      }
      return !isLate;
    },
  };
}
