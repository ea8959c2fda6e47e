/**
 * Questions to the user through the asking client itself (spec §12): the signed, single-use state
 * that a modern client carries from question to answer, and the wait of a legacy one. Others decide
 * whether a client may be asked.
 */

import { createHmac } from 'node:crypto';
import { sameSecret } from '../../../shared/proofs.ts';
import { type AskMove, endOf } from '../../access/desk/ask.ts';
import type { Desk, NewAsk } from '../../access/desk/desk.ts';
import type { Verdict } from '../../access/questions/approvals.ts';
import type { Principal } from '../../access/tokens/token.ts';
import type { Taken } from '../../engines/count/taken.ts';
import { answerIn } from './question-text.ts';
import type { Elicit, Elicited, QuestionForm } from './tool.ts';

interface ClientQuestionPorts {
  /** At least 32 random bytes, new for each run of the daemon. */
  readonly key: Buffer;
  readonly desk: Desk;
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

interface Facts {
  /** Null if the client is asked on its call's stream. */
  readonly shown: Taken | null;
}

export function openClientQuestions({ key, desk }: ClientQuestionPorts): ClientQuestions {
  /** An id that isn't there was never issued in this run, or is used up. */
  const forms = desk.of<Facts>('form');

  function macOf(id: string, { principal, tool, args, circumstances }: QuestionBinding): string {
    const bound = canonical([id, principal.id, tool, args, circumstances]);
    return createHmac('sha256', key).update(`sallyport request state\0${bound}`).digest('base64url');
  }

  function askOf({ id }: Principal, shown: Taken | null): NewAsk<Facts> {
    return { asker: { id, group: null, lineage: [] }, key: null, about: '', facts: { shown } };
  }

  return {
    issue(binding, shown) {
      const asked = askOf(binding.principal, shown);
      // A client doesn't announce that it dropped a question: refusing new ones would lock it out
      // for five minutes.
      const oldest = forms.waiting().find(({ asker }) => asker.id === asked.asker.id);
      if (forms.whyNot(asked) !== null && oldest !== undefined) forms.move(oldest.id, 'void');
      const id = forms.ask(asked)?.ask.id ?? '';
      return `${id}.${macOf(id, binding)}`;
    },

    redeem(state, binding) {
      const [id = '', mac = '', ...more] = state.split('.');
      if (more.length > 0 || !sameSecret(mac, macOf(id, binding))) return null;
      const shown = forms.find(id)?.facts.shown ?? null;
      return forms.move(id, 'yes') ? shown : null;
    },

    discard(state, principal) {
      const [id = ''] = state.split('.', 1);
      if (forms.find(id)?.asker.id === principal.id) forms.move(id, 'void');
    },

    async ask(principal, form, elicit, signal) {
      if (signal.aborted) return { kind: 'cancelled' };
      const waits = forms.ask(askOf(principal, null), signal);
      if (waits === null) return { kind: 'too_many_open' };
      const over = new AbortController();
      void elicit(form, AbortSignal.any([signal, over.signal])).then(elicited =>
        forms.move(waits.ask.id, moveOf(elicited)),
      );
      const { because } = await waits.ended;
      over.abort();
      return { kind: because === 'void' ? 'nobody' : endOf(because) };
    },
  };
}

/** `void`: the client has asked nobody. */
function moveOf(elicited: Elicited): AskMove {
  if (elicited.kind === 'ended') return 'cancelled';
  const answer = elicited.kind === 'failed' ? 'nobody' : answerIn(elicited.result);
  return answer === 'nobody' ? 'void' : answer;
}

/** JSON with sorted members: a client may order them differently in its next call. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}
