/**
 * The memory of `askEachTime` (spec §6): which principal may use which connection, and the one
 * question that all its calls there wait for. Kept for this run; effective access decides what an
 * approval allows.
 */

import type { Principal } from '../tokens/token.ts';
import type { Approvals, QuestionContent, Verdict } from './approvals.ts';

/** An approval lasts a working day, unless the setting says otherwise. */
export const firstUseHours = 8;

interface FirstUsePorts {
  readonly approvals: Pick<Approvals, 'ask'>;
  /** Milliseconds of a clock that is never set and never stands still. */
  readonly elapsed: () => number;
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

/** A call that waits for the answer. */
interface WaitingCall extends About {
  readonly changed: AbortController;
}

export function openFirstUses(ports: FirstUsePorts): FirstUses {
  const yesAt = new Map<string, About & { readonly at: number }>();
  const calls = new Set<WaitingCall>();
  const listeners: ((principal: Principal, connectionId: string) => void)[] = [];

  function stands(at: number): boolean {
    return ports.elapsed() - at < ports.rememberHours() * 3_600_000;
  }

  function isAllowed(principal: Principal, connectionId: string): boolean {
    const said = yesAt.get(keyOf(principal, connectionId));
    return said !== undefined && stands(said.at);
  }

  function remember(principal: Principal, connectionId: string): void {
    // Bridges come and go, each a principal of its own.
    for (const [known, { at }] of yesAt) if (!stands(at)) yesAt.delete(known);
    yesAt.set(keyOf(principal, connectionId), { connectionId, principalId: principal.id, at: ports.elapsed() });
    for (const listener of listeners) listener(principal, connectionId);
  }

  function forget(isMeant: (about: About) => boolean): void {
    for (const [key, said] of yesAt) if (isMeant(said)) yesAt.delete(key);
    for (const call of calls) if (isMeant(call)) call.changed.abort();
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
      const call = { connectionId: content.connection.id, principalId: principal.id, changed: new AbortController() };
      calls.add(call);
      const ends = AbortSignal.any([signal, call.changed.signal]);
      const verdict = await ports.approvals.ask(principal, content, ends, keyOf(principal, call.connectionId));
      calls.delete(call);
      if (call.changed.signal.aborted) return { kind: 'changed' };
      // The first of those that waited together remembers it.
      if (verdict.kind === 'yes' && !isAllowed(principal, call.connectionId)) remember(principal, call.connectionId);
      return verdict;
    },

    forget: connectionId => forget(about => about.connectionId === connectionId),
    forgetPrincipal: id => forget(about => about.principalId === id),
  };
}

function keyOf(principal: Principal, connectionId: string): string {
  return `${connectionId} ${principal.id}`;
}
