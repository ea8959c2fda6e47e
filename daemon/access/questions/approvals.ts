/**
 * The register of open questions to the user (spec §12): who asks what, who may still ask, and the
 * one answer of each question. Shells show questions and bring answers; the asking tool decides
 * what an answer allows.
 */

import type { AskedStatement, AskView } from '../../../shared/control-commands.ts';
import type { Principal } from '../tokens/token.ts';

/** Limits on questions to the user (spec §6, §12). */
export const approvalLimits = {
  /** A question without an answer is denied after this long. */
  lifetimeSeconds: 300,
  /** More would let a client bury the question that matters. */
  openPerPrincipal: 3,
  /**
   * Each bridge process names itself, so one that keeps renaming itself would have no limit: room
   * for eight bridges.
   */
  openForAllBridges: 24,
  /** After a denial: time for the person to do something else. */
  quietSecondsAfterNo: 60,
  /** An approval of a principal's first use of a connection lasts a working day. */
  rememberHours: 8,
} as const;

export interface QuestionContent {
  readonly kind: 'destructive_statement' | 'stop_server_session' | 'first_use';
  /** The client's own name for itself; unverified. */
  readonly client: string;
  readonly connection: NonNullable<AskView['connection']>;
  /** What an approval allows and for how long, in our words: `Read and write for 8 hours.` */
  readonly means: string;
  readonly statement: Omit<AskedStatement, 'characters' | 'lines'> | null;
}

export interface Question extends QuestionContent, Pick<AskView, 'id' | 'askedAt' | 'expiresAt'> {
  readonly principalId: string;
  readonly tokenName: string;
  readonly isBox: boolean;
}

export type Verdict =
  | { readonly kind: 'yes' }
  | { readonly kind: 'no' }
  /** Nobody answered in time. */
  | { readonly kind: 'timeout' }
  /** No shell that can ask a person is attached. */
  | { readonly kind: 'nobody' }
  | { readonly kind: 'too_many_open' }
  /** A denial stands: nothing is asked about this connection for a while. */
  | { readonly kind: 'quiet'; readonly secondsLeft: number }
  /** The asking request ended. */
  | { readonly kind: 'cancelled' };

export type NotAsked = Exclude<Verdict, { kind: 'yes' }>;

/** How an asked question can end. */
type QuestionEnd = Extract<Verdict, { kind: 'yes' | 'no' | 'timeout' | 'cancelled' }>;

interface ApprovalPorts {
  /** Wall clock, milliseconds since 1970. */
  readonly now: () => number;
  readonly newId: () => string;
  /** Runs once after so long, unless the returned function is called first. */
  readonly after: (milliseconds: number, run: () => void) => () => void;
  /** Whether a shell that can ask a person is attached. */
  readonly someoneAnswers: () => boolean;
  /**
   * Resolves once such a shell is started, or none will come. Never rejects; null if none can be
   * started.
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
      /** Who answered, and how that was confirmed; null if nobody did. */
      readonly by: string | null;
    };

export interface Approvals {
  /** Whether `ask` would wait for an answer now. */
  someoneAnswers(): boolean;
  /** Null, or why this question would not be asked now. May start a shell. Never rejects. */
  whyNotAsked(principal: Principal, content: QuestionContent, signal: AbortSignal): Promise<NotAsked | null>;
  /** Resolves with the one verdict. Never rejects. */
  ask(principal: Principal, content: QuestionContent, signal: AbortSignal): Promise<Verdict>;
  /** A denial given elsewhere (through the client) quiets the connection too. */
  heardNo(connectionId: string): void;
  /** Null, or why no question about this connection may be asked now. */
  quietAbout(connectionId: string): NotAsked | null;
  pending(): readonly Question[];
  /**
   * @returns false if no such question is open: another shell was first, or the request ended.
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
      // If it can be asked, it is opened at once.
      const refusal = atOnce?.kind === 'nobody' ? await afterShell(principal, content, signal) : atOnce;
      if (refusal !== null) return refusal;
      const lifetime = ports.limits.lifetimeSeconds * 1000;
      const question: Question = {
        ...content,
        id: ports.newId(),
        principalId: principal.id,
        tokenName: principal.tokenName,
        isBox: principal.isBox,
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
      // After sleep a timer may be late: the wall clock decides.
      const isLate = ports.now() >= Date.parse(asked.question.expiresAt);
      if (isLate) asked.settle({ kind: 'timeout' }, null);
      else asked.settle({ kind: answer }, by);
      return !isLate;
    },

    onEvent: listener => void listeners.push(listener),
  };
}

/** Listens as long as the signal lives; the signal belongs to a request and is not aborted yet. */
export function whenAborted(signal: AbortSignal): Promise<void> {
  return new Promise(resolve => signal.addEventListener('abort', () => resolve(), { once: true }));
}

/** 32 letters, so five bits choose one evenly; without 0, 1, l and o. */
const idLetters = 'abcdefghijkmnpqrstuvwxyz23456789';
const idLength = 8;

/**
 * A question's id, for people to type: no letter looks like another.
 * @param randomBytes gives as many as asked for.
 */
export function newQuestionId(randomBytes: (count: number) => Uint8Array): string {
  return Array.from(randomBytes(idLength), byte => idLetters[byte % idLetters.length] ?? '').join('');
}
