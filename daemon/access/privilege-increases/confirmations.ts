/**
 * What Sallyport.app is asked to confirm for other shells (spec §11): an ask each, and its one
 * verdict. Others decide who the app is and what an approval allows.
 */

import type { AskView } from '../../../shared/control-commands.ts';
import { type Ask, endOf } from '../desk/ask.ts';
import type { Desk, Ended, NoPlace } from '../desk/desk.ts';
import type { ConfirmedBy } from './origin-words.ts';

/** A shell's connection, compared by identity. */
type Requester = object;

/** What a yes in the app came with: a click alone, or what proved the owner. */
export type AppsProof = Exclude<ConfirmedBy, 'off' | 'unattended' | null>;

interface Asked extends Pick<AskView, 'facts'> {
  readonly sentence: string;
  /** The asking shell's own name for itself; unverified. */
  readonly shell: string;
}

export type AskedIncrease = Ask<Asked & { readonly confirmedBy: AppsProof | null }>;

export type ConfirmationVerdict =
  | { readonly kind: Exclude<ReturnType<typeof endOf>, 'yes'> }
  | { readonly kind: 'yes'; readonly confirmedBy: AppsProof }
  /** Another request was denied while this one waited. */
  | { readonly kind: 'no_to_another' }
  /** This shell has one open. */
  | { readonly kind: 'one_waits' }
  | NoPlace;

export interface IncreaseConfirmations {
  /** Resolves with the one verdict. Never rejects. */
  ask(requester: Requester, asked: Asked, signal: AbortSignal): Promise<ConfirmationVerdict>;
  pending(): readonly AskedIncrease[];
  /**
   * @returns false if none such waits, or if it belongs to the answering shell: nobody confirms
   *   their own request.
   */
  decide(by: Requester, id: string, answer: 'no' | { readonly yes: AppsProof }): boolean;
}

export function openIncreaseConfirmations(desk: Desk): IncreaseConfirmations {
  const increases = desk.of<AskedIncrease['facts']>('increase');
  return {
    async ask(requester, asked, signal) {
      if (signal.aborted) return { kind: 'cancelled' };
      if (increases.waiting().some(({ asker }) => asker.id === requester)) return { kind: 'one_waits' };
      const asker = { id: requester, group: null, lineage: [] };
      const opened = { asker, key: null, about: '', facts: { ...asked, confirmedBy: null } };
      const refusal = increases.whyNot(opened);
      if (refusal !== null) return refusal;
      const waits = increases.ask(opened, signal);
      return waits === null ? { kind: 'too_many_open' } : verdictOf(await waits.ended);
    },

    pending: increases.waiting,

    decide(by, id, answer) {
      if (increases.find(id)?.asker.id === by) return false;
      if (answer !== 'no') return increases.move(id, 'yes', { facts: { confirmedBy: answer.yes } });
      const isDenied = increases.move(id, 'no');
      // For all shells: a program that asks through several connections would make the person deny
      // each.
      if (isDenied) for (const other of increases.waiting()) increases.move(other.id, 'void');
      return isDenied;
    },
  };
}

function verdictOf({ because, ask }: Ended<AskedIncrease['facts']>): ConfirmationVerdict {
  if (because === 'void') return { kind: 'no_to_another' };
  const kind = endOf(because);
  if (kind !== 'yes') return { kind };
  const { confirmedBy } = ask.facts;
  return confirmedBy === null ? { kind: 'no' } : { kind, confirmedBy };
}
