/**
 * Questions to the user (spec §12): asks that a call waits for, once a shell is there that can ask
 * a person. Shells show questions and bring answers; the asking tool decides what an answer allows.
 */

import type { AskedStatement, AskView, ConfirmationFact } from '../../../shared/control-commands.ts';
import { type Ask, type AskMove, endOf } from '../desk/ask.ts';
import type { Desk, DeskEvent, NewAsk, NoPlace } from '../desk/desk.ts';
import { unknownLineage } from '../limits/crowd.ts';
import type { Principal } from '../tokens/token.ts';

/** What was found in a statement. */
export interface Judged {
  /** One sentence: what decided the class. */
  readonly reason: string;
  /** The same in parts; empty if no code is known. */
  readonly reasonParts: NonNullable<ConfirmationFact['parts']>;
  readonly tables: readonly string[];
}

export interface QuestionContent {
  readonly kind: 'statement' | 'first_use';
  /** The client's own name for itself; unverified. */
  readonly client: string;
  readonly connection: NonNullable<AskView['connection']>;
  /** What an approval allows and for how long, in our words: `Read and write for 8 hours.` */
  readonly means: string;
  readonly statement: (Omit<AskedStatement, 'characters' | 'lines'> & Judged) | null;
}

/** What the desk keeps of a question. */
export interface QuestionFacts extends QuestionContent {
  readonly principalId: string;
  readonly tokenName: string;
  readonly isBox: boolean;
}

export type Question = Ask<QuestionFacts>;

export type QuestionEvent = DeskEvent<QuestionFacts>;

export type Verdict =
  | { readonly kind: 'yes' }
  | { readonly kind: 'no' }
  /** Nobody answered in time. */
  | { readonly kind: 'timeout' }
  /** No shell that can ask a person is attached. */
  | { readonly kind: 'nobody' }
  | NoPlace
  /** The asking request ended. */
  | { readonly kind: 'cancelled' };

export type NotAsked = Exclude<Verdict, { kind: 'yes' }>;

/** How an asked question can end. */
type QuestionEnd = Extract<Verdict, { kind: 'yes' | 'no' | 'timeout' | 'nobody' | 'cancelled' }>;

interface ApprovalPorts {
  readonly desk: Desk;
  /** Whether a shell that can ask a person is attached. */
  readonly someoneAnswers: () => boolean;
  /**
   * Resolves once such a shell is started, or none will come. Never rejects; null if none can be
   * started.
   */
  readonly bringShell: (() => Promise<void>) | null;
}

export interface Approvals {
  /** Whether `ask` would wait for an answer now. */
  someoneAnswers(): boolean;
  /** Null, or why this question would not be asked now. May start a shell. Never rejects. */
  whyNotAsked(principal: Principal, content: QuestionContent, signal: AbortSignal): Promise<NotAsked | null>;
  /**
   * Resolves with the one verdict. Never rejects.
   * @param key calls that ask the same by one key wait for one question, until the last has left.
   */
  ask(principal: Principal, content: QuestionContent, signal: AbortSignal, key?: string): Promise<Verdict>;
  pending(): readonly Question[];
  /**
   * @returns false if no such question is open: another shell was first, or the request ended.
   * @param by who answers, for the log.
   */
  decide(id: string, answer: 'yes' | 'no', by: string): boolean;
  onEvent(listener: (event: QuestionEvent) => void): void;
}

export function openApprovals({ desk, someoneAnswers, bringShell }: ApprovalPorts): Approvals {
  const questions = desk.of<QuestionFacts>('question');

  function refuseBefore(asked: NewAsk, signal: AbortSignal): NotAsked | null {
    if (signal.aborted) return { kind: 'cancelled' };
    const refusal = questions.whyNot(asked);
    if (refusal !== null) return refusal;
    const isOpen = asked.key !== null && questions.waiting().some(({ key }) => key === asked.key);
    return isOpen || someoneAnswers() ? null : { kind: 'nobody' };
  }

  async function afterShell(asked: NewAsk, signal: AbortSignal): Promise<NotAsked | null> {
    if (bringShell !== null) await Promise.race([bringShell(), whenAborted(signal)]);
    return refuseBefore(asked, signal);
  }

  return {
    someoneAnswers,
    pending: questions.waiting,
    onEvent: questions.onEvent,
    decide: (id, answer, by) => questions.move(id, answer, {}, by),

    async whyNotAsked(principal, content, signal) {
      const asked = askOf(principal, content);
      const atOnce = refuseBefore(asked, signal);
      return atOnce?.kind === 'nobody' ? afterShell(asked, signal) : atOnce;
    },

    async ask(principal, content, signal, key) {
      const asked = askOf(principal, content, key);
      const atOnce = refuseBefore(asked, signal);
      // If it can be asked, it is opened at once.
      const refusal = atOnce?.kind === 'nobody' ? await afterShell(asked, signal) : atOnce;
      if (refusal !== null) return refusal;
      const opened = questions.ask(asked, signal);
      return opened === null ? { kind: 'too_many_open' } : { kind: endOfQuestion((await opened.ended).because) };
    },
  };
}

/** `nobody`: its client asked nobody, or asks another. */
export function endOfQuestion(because: AskMove): QuestionEnd['kind'] {
  return because === 'void' ? 'nobody' : endOf(because);
}

function askOf(principal: Principal, content: QuestionContent, key: string | null = null): NewAsk<QuestionFacts> {
  const { id, isBridge, lineage = unknownLineage } = principal;
  return {
    asker: { id, group: isBridge ? 'bridges' : null, lineage },
    key,
    about: content.connection.id,
    facts: questionFacts(principal, content),
  };
}

export function questionFacts({ id, tokenName, isBox }: Principal, content: QuestionContent): QuestionFacts {
  return { ...content, principalId: id, tokenName, isBox };
}

/** Listens as long as the signal lives; the signal belongs to a request and is not aborted yet. */
function whenAborted(signal: AbortSignal): Promise<void> {
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
