/**
 * The memory of `askEachTime` (spec §6): which principal may use which connection, and the one
 * question that all its calls there wait for. Kept for this run; effective access decides what an
 * approval allows.
 */

import type { Principal } from '../tokens/token.ts';
import { type Approvals, type QuestionContent, type Verdict, whenAborted } from './approvals.ts';

interface FirstUsePorts {
  readonly approvals: Pick<Approvals, 'ask'>;
  /** Wall clock, milliseconds since 1970. */
  readonly now: () => number;
  readonly rememberHours: () => number;
}

export interface FirstUses {
  /** Before that, lists and completions about the connection are empty. */
  isAllowed(principal: Principal, connectionId: string): boolean;
  /**
   * Approved at once if an approval stands; otherwise asks, or joins the open question. Never
   * rejects.
   */
  allow(principal: Principal, content: QuestionContent, signal: AbortSignal): Promise<FirstUseVerdict>;
  /** The user approved elsewhere. */
  letIn(principal: Principal, connectionId: string): void;
  /** How long an approval lasts. */
  rememberHours(): number;
  /** Called after each approval that is remembered. */
  onAllowed(listener: (principal: Principal, connectionId: string) => void): void;
  /** Call it when the connection or its policy changes: earlier answers are void. */
  forget(connectionId: string): void;
  /** Call it when a token's access differs from what the question said. */
  forgetPrincipal(id: string): void;
}

type FirstUseVerdict =
  | Verdict
  /** The connection or its policy changed meanwhile: look at it again. */
  | { readonly kind: 'changed' };

interface About {
  readonly connectionId: string;
  readonly principalId: string;
}

/** Calls that wait for the same answer; when the last one ends, the question is withdrawn. */
interface SharedQuestion extends About {
  readonly verdict: Promise<FirstUseVerdict>;
  readonly withdraw: AbortController;
  waiting: number;
  isVoid: boolean;
}

export function openFirstUses(ports: FirstUsePorts): FirstUses {
  const yesAt = new Map<string, About & { readonly at: number }>();
  const open = new Map<string, SharedQuestion>();
  const listeners: ((principal: Principal, connectionId: string) => void)[] = [];

  function stands(at: number): boolean {
    const passed = ports.now() - at;
    return passed >= 0 && passed < ports.rememberHours() * 3_600_000;
  }

  function isAllowed(principal: Principal, connectionId: string): boolean {
    const said = yesAt.get(keyOf(principal, connectionId));
    return said !== undefined && stands(said.at);
  }

  function remember(principal: Principal, connectionId: string): void {
    // Bridges come and go, each a principal of its own.
    for (const [known, { at }] of yesAt) if (!stands(at)) yesAt.delete(known);
    yesAt.set(keyOf(principal, connectionId), { connectionId, principalId: principal.id, at: ports.now() });
    for (const listener of listeners) listener(principal, connectionId);
  }

  function begin(key: string, principal: Principal, content: QuestionContent): SharedQuestion {
    const withdraw = new AbortController();
    const question: SharedQuestion = {
      connectionId: content.connection.id,
      principalId: principal.id,
      withdraw,
      waiting: 0,
      isVoid: false,
      verdict: ports.approvals.ask(principal, content, withdraw.signal).then(verdict => {
        if (open.get(key) === question) open.delete(key);
        if (verdict.kind === 'yes' && !question.isVoid) remember(principal, content.connection.id);
        return question.isVoid ? { kind: 'changed' } : verdict;
      }),
    };
    open.set(key, question);
    return question;
  }

  function forget(isMeant: (about: About) => boolean): void {
    for (const [key, said] of yesAt) if (isMeant(said)) yesAt.delete(key);
    for (const [key, question] of open) {
      if (!isMeant(question)) continue;
      question.isVoid = true;
      open.delete(key);
      question.withdraw.abort();
    }
  }

  return {
    isAllowed,

    letIn: remember,

    rememberHours: ports.rememberHours,

    onAllowed(listener) {
      listeners.push(listener);
    },

    async allow(principal, content, signal) {
      if (signal.aborted) return { kind: 'cancelled' };
      if (isAllowed(principal, content.connection.id)) return { kind: 'yes' };
      const key = keyOf(principal, content.connection.id);
      const question = open.get(key) ?? begin(key, principal, content);
      question.waiting += 1;
      const cancelled = whenAborted(signal).then(() => ({ kind: 'cancelled' }) as const);
      try {
        return await Promise.race([question.verdict, cancelled]);
      } finally {
        question.waiting -= 1;
        if (question.waiting === 0) {
          if (open.get(key) === question) open.delete(key);
          question.withdraw.abort();
        }
      }
    },

    forget: connectionId => forget(about => about.connectionId === connectionId),
    forgetPrincipal: id => forget(about => about.principalId === id),
  };
}

function keyOf(principal: Principal, connectionId: string): string {
  return `${connectionId} ${principal.id}`;
}
