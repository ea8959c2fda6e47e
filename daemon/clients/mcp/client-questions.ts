/**
 * Questions to the user through the asking client itself (spec §12): the signed, single-use state
 * that a modern client carries from question to answer, and the wait of a legacy one. Others decide
 * whether a client may be asked.
 */

import { createHmac } from 'node:crypto';
import { sameSecret } from '../../../shared/proofs.ts';
import type { Verdict } from '../../access/questions/approvals.ts';
import type { Principal } from '../../access/tokens/token.ts';
import type { Taken } from '../../engines/count/taken.ts';
import { answerIn } from './question-text.ts';
import type { Elicit, QuestionForm } from './tool.ts';

interface ClientQuestionPorts {
  /** At least 32 random bytes, new for each run of the daemon. */
  readonly key: Buffer;
  /** Wall clock, milliseconds since 1970. */
  readonly now: () => number;
  /** Unguessable. */
  readonly newId: () => string;
  /** Runs once after so long, unless the returned function is called first. */
  readonly after: (milliseconds: number, run: () => void) => () => void;
  readonly limits: { readonly lifetimeSeconds: number; readonly openPerPrincipal: number };
}

/** What a question is about; its answer fits no other question. */
export interface QuestionBinding {
  readonly principal: Principal;
  readonly tool: string;
  /** As parsed. */
  readonly args: unknown;
  /** Anything else that must stay the same until the answer. */
  readonly circumstances: readonly (string | number)[];
}

export interface ClientQuestions {
  /** The state for a new question. If a principal has too many open ones, its oldest is dropped. */
  issue(binding: QuestionBinding, shown: Taken): string;
  /**
   * @returns what was shown, once, for a state issued for this very binding and not too old; null
   *   for any other.
   */
  redeem(state: string, binding: QuestionBinding): Taken | null;
  /** Drops a state that came back to a finished call of its principal. */
  discard(state: string, principal: Principal): void;
  /** Asks on the call's stream and waits. Never rejects. */
  ask(principal: Principal, form: QuestionForm, elicit: Elicit, signal: AbortSignal): Promise<Verdict>;
}

interface OpenQuestion {
  readonly shown: Taken;
  readonly principalId: string;
  readonly expiresAt: number;
}

export function openClientQuestions(ports: ClientQuestionPorts): ClientQuestions {
  const lifetime = ports.limits.lifetimeSeconds * 1000;
  /** Oldest first. Anything else was never issued in this run, or is used up. */
  const issued = new Map<string, OpenQuestion>();
  const asking = new Map<string, number>();

  function macOf(id: string, { principal, tool, args, circumstances }: QuestionBinding): string {
    const bound = canonical([id, principal.id, tool, args, circumstances]);
    return createHmac('sha256', ports.key).update(`sallyport request state\0${bound}`).digest('base64url');
  }

  function isAlive({ expiresAt }: Pick<OpenQuestion, 'expiresAt'>): boolean {
    const left = expiresAt - ports.now();
    // Setting the clock back must not lengthen a question's life.
    return left > 0 && left <= lifetime;
  }

  function makeRoomFor(principalId: string): void {
    for (const [id, question] of issued) if (!isAlive(question)) issued.delete(id);
    const own = [...issued].filter(([, question]) => question.principalId === principalId);
    const tooMany = own.length + 1 - ports.limits.openPerPrincipal;
    // A client doesn't announce that it dropped a question: refusing new ones would lock it out for
    // five minutes.
    for (const [id] of own.slice(0, Math.max(0, tooMany))) issued.delete(id);
  }

  return {
    issue(binding, shown) {
      const principalId = binding.principal.id;
      makeRoomFor(principalId);
      const id = ports.newId();
      issued.set(id, { principalId, shown, expiresAt: ports.now() + lifetime });
      return `${id}.${macOf(id, binding)}`;
    },

    redeem(state, binding) {
      const [id = '', mac = '', ...more] = state.split('.');
      if (more.length > 0 || !sameSecret(mac, macOf(id, binding))) return null;
      const question = issued.get(id);
      issued.delete(id);
      return question !== undefined && isAlive(question) ? question.shown : null;
    },

    discard(state, { id: principalId }) {
      const [id = ''] = state.split('.', 1);
      if (issued.get(id)?.principalId === principalId) issued.delete(id);
    },

    async ask({ id: principalId }, form, elicit, signal) {
      const open = asking.get(principalId) ?? 0;
      if (open >= ports.limits.openPerPrincipal) return { kind: 'too_many_open' };
      const late = new AbortController();
      const expiresAt = ports.now() + lifetime;
      const cancelTimer = ports.after(lifetime, () => late.abort());
      asking.set(principalId, open + 1);
      try {
        const elicited = await elicit(form, AbortSignal.any([signal, late.signal]));
        if (signal.aborted) return { kind: 'cancelled' };
        if (elicited.kind === 'failed') return { kind: 'nobody' };
        if (elicited.kind === 'ended') return { kind: late.signal.aborted ? 'timeout' : 'cancelled' };
        // After sleep a timer may be late: the wall clock decides.
        if (!isAlive({ expiresAt })) return { kind: 'timeout' };
        return { kind: answerIn(elicited.result) };
      } finally {
        cancelTimer();
        const left = (asking.get(principalId) ?? 1) - 1;
        if (left > 0) asking.set(principalId, left);
        else asking.delete(principalId);
      }
    },
  };
}

/** JSON with sorted members: a client may order them differently in its next call. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}
