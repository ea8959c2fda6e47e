/**
 * The register of open questions to the user (spec §12): who asks what, who may still be asked, and
 * the one answer each gets. Shells show the questions and bring the answers; what an answer allows
 * is the asking tool's matter.
 */

import type { ApprovalView } from '../../../shared/control-commands.ts';
import type { Principal } from '../tokens/token.ts';

/** The bounds of questions to the user (spec §6, §12). */
export const approvalLimits = {
  /** A question nobody answers is a no after this long. */
  lifetimeSeconds: 300,
  /** More would let a client bury the one question that matters. */
  openPerPrincipal: 3,
  /**
   * Each bridge process names itself, so one that keeps giving itself new names would have no
   * bound: eight bridges' worth.
   */
  openForAllBridges: 24,
  /** After a no: time for the person to do something else than saying no. */
  quietSecondsAfterNo: 60,
  /** A yes to a principal's first use of a connection stands for a working day. */
  rememberHours: 8,
} as const;

export interface QuestionContent extends Pick<ApprovalView, 'kind' | 'client' | 'connection' | 'means'> {
  readonly statement: Omit<NonNullable<ApprovalView['statement']>, 'characters' | 'lines'> | null;
}

export interface Question extends QuestionContent, Pick<ApprovalView, 'id' | 'askedAt' | 'expiresAt'> {
  readonly principalId: string;
  readonly tokenName: string;
}

export type Verdict =
  | { readonly kind: 'yes' }
  | { readonly kind: 'no' }
  /** Nobody answered in time. */
  | { readonly kind: 'timeout' }
  /** No shell that can ask a person is attached. */
  | { readonly kind: 'nobody' }
  | { readonly kind: 'too_many_open' }
  /** A no stands: nothing is asked about this connection for a while. */
  | { readonly kind: 'quiet'; readonly secondsLeft: number }
  /** The asking request ended. */
  | { readonly kind: 'cancelled' };

export type NotAsked = Exclude<Verdict, { kind: 'yes' }>;

/** How a question that was asked can end. */
type QuestionEnd = Extract<Verdict, { kind: 'yes' | 'no' | 'timeout' | 'cancelled' }>;

interface ApprovalPorts {
  /** Wall clock, milliseconds since 1970. */
  readonly now: () => number;
  readonly newId: () => string;
  /** Runs once after so long, unless the returned function is called before. */
  readonly after: (milliseconds: number, run: () => void) => () => void;
  /** Whether a shell that can ask a person is attached. */
  readonly someoneAnswers: () => boolean;
  /**
   * Resolves once such a shell was brought, or none will come. Never rejects; null where none can
   * be brought.
   */
  readonly bringShell: (() => Promise<void>) | null;
  readonly limits: { readonly [Name in keyof typeof approvalLimits]: number };
}

export type QuestionEvent =
  | { readonly kind: 'asked'; readonly question: Question }
  | {
      readonly kind: 'withdrawn';
      readonly id: string;
      readonly because: QuestionEnd['kind'];
      /** Who answered, and how that was confirmed; null where nobody did. */
      readonly by: string | null;
    };

export interface Approvals {
  /** Whether `ask` would wait for an answer now. */
  someoneAnswers(): boolean;
  /**
   * Null, or why this question would not be asked now. A shell may be brought for it. Never
   * rejects.
   */
  whyNotAsked(principal: Principal, content: QuestionContent, signal: AbortSignal): Promise<NotAsked | null>;
  /** Resolves with the one verdict. Never rejects. */
  ask(principal: Principal, content: QuestionContent, signal: AbortSignal): Promise<Verdict>;
  /** A no given elsewhere (through the client) quiets the connection as well. */
  heardNo(connectionId: string): void;
  /** Null, or why no question about this connection may be asked now. */
  quietAbout(connectionId: string): NotAsked | null;
  pending(): readonly Question[];
  /**
   * False where no such question is open: another shell was first, or the request ended.
   * @param by who answers, for the log.
   */
  decide(id: string, answer: 'yes' | 'no', by: string): boolean;
  onEvent(listener: (event: QuestionEvent) => void): void;
}

interface OpenQuestion {
  readonly question: Question;
  readonly isBridges: boolean;
  readonly settle: (end: QuestionEnd, by: string | null) => void;
}

export function openApprovals(ports: ApprovalPorts): Approvals {
  const open = new Map<string, OpenQuestion>();
  const noUntil = new Map<string, number>();
  const listeners: ((event: QuestionEvent) => void)[] = [];

  function tell(event: QuestionEvent): void {
    for (const listener of listeners) listener(event);
  }

  function quietAbout(connectionId: string): NotAsked | null {
    const left = (noUntil.get(connectionId) ?? 0) - ports.now();
    if (left > 0 && left <= ports.limits.quietSecondsAfterNo * 1000) {
      return { kind: 'quiet', secondsLeft: Math.ceil(left / 1000) };
    }
    noUntil.delete(connectionId);
    return null;
  }

  function heardNo(connectionId: string): void {
    noUntil.set(connectionId, ports.now() + ports.limits.quietSecondsAfterNo * 1000);
  }

  function refuseBefore(principal: Principal, content: QuestionContent, signal: AbortSignal): NotAsked | null {
    if (signal.aborted) return { kind: 'cancelled' };
    const quiet = quietAbout(content.connection.id);
    if (quiet !== null) return quiet;
    const count = (isOne: (asked: OpenQuestion) => boolean): number => [...open.values()].filter(isOne).length;
    const tooMany =
      count(({ question }) => question.principalId === principal.id) >= ports.limits.openPerPrincipal ||
      (principal.isBridge && count(({ isBridges }) => isBridges) >= ports.limits.openForAllBridges);
    if (tooMany) return { kind: 'too_many_open' };
    return ports.someoneAnswers() ? null : { kind: 'nobody' };
  }

  async function afterShell(
    principal: Principal,
    content: QuestionContent,
    signal: AbortSignal,
  ): Promise<NotAsked | null> {
    if (ports.bringShell !== null) await Promise.race([ports.bringShell(), whenAborted(signal)]);
    return refuseBefore(principal, content, signal);
  }

  return {
    someoneAnswers: ports.someoneAnswers,

    async whyNotAsked(principal, content, signal) {
      const atOnce = refuseBefore(principal, content, signal);
      return atOnce?.kind === 'nobody' ? afterShell(principal, content, signal) : atOnce;
    },

    async ask(principal, content, signal) {
      const atOnce = refuseBefore(principal, content, signal);
      // What can be asked is open at once.
      const refusal = atOnce?.kind === 'nobody' ? await afterShell(principal, content, signal) : atOnce;
      if (refusal !== null) return refusal;
      const lifetime = ports.limits.lifetimeSeconds * 1000;
      const question: Question = {
        ...content,
        id: ports.newId(),
        principalId: principal.id,
        tokenName: principal.tokenName,
        askedAt: new Date(ports.now()).toISOString(),
        expiresAt: new Date(ports.now() + lifetime).toISOString(),
      };
      return new Promise(resolve => {
        const settle = (verdict: QuestionEnd, by: string | null): void => {
          if (!open.delete(question.id)) return;
          cancelTimer();
          signal.removeEventListener('abort', onAbort);
          if (verdict.kind === 'no') heardNo(question.connection.id);
          tell({ kind: 'withdrawn', id: question.id, because: verdict.kind, by });
          resolve(verdict);
        };
        const onAbort = (): void => settle({ kind: 'cancelled' }, null);
        const cancelTimer = ports.after(lifetime, () => settle({ kind: 'timeout' }, null));
        signal.addEventListener('abort', onAbort);
        open.set(question.id, { question, isBridges: principal.isBridge, settle });
        tell({ kind: 'asked', question });
      });
    },

    heardNo,
    quietAbout,
    pending: () => [...open.values()].map(({ question }) => question),

    decide(id, answer, by) {
      const asked = open.get(id);
      if (asked === undefined) return false;
      // A timer may be late after a laptop slept: the wall clock has the last word.
      const isLate = ports.now() >= Date.parse(asked.question.expiresAt);
      if (isLate) asked.settle({ kind: 'timeout' }, null);
      else asked.settle({ kind: answer }, by);
      return !isLate;
    },

    onEvent: listener => void listeners.push(listener),
  };
}

/** Listens for as long as the signal lives: it is a request's own, and not aborted yet. */
export function whenAborted(signal: AbortSignal): Promise<void> {
  return new Promise(resolve => signal.addEventListener('abort', () => resolve(), { once: true }));
}

/** 32 of them, so that five bits choose one evenly: without 0, 1, l and o. */
const idLetters = 'abcdefghijkmnpqrstuvwxyz23456789';
const idLength = 8;

/**
 * A question's id, for people to type: no letter looks like another.
 * @param randomBytes as many as asked for.
 */
export function newQuestionId(randomBytes: (count: number) => Uint8Array): string {
  return Array.from(randomBytes(idLength), byte => idLetters[byte % idLetters.length] ?? '').join('');
}
