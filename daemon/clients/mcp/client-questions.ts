/**
 * Questions to the user through the asking client itself (spec §12): the signed, single-use state
 * that a modern client carries from question to answer, and the wait of a legacy one. Others decide
 * whether a client may be asked.
 */

import { createHmac } from 'node:crypto';
import { sameSecret } from '../../../shared/proofs.ts';
import type { AskMove } from '../../access/desk/ask.ts';
import type { Desk, NewAsk } from '../../access/desk/desk.ts';
import {
  endOfQuestion,
  type NotAsked,
  type QuestionContent,
  type QuestionEvent,
  type QuestionFacts,
  questionFacts,
  type Verdict,
} from '../../access/questions/approvals.ts';
import type { Principal } from '../../access/tokens/token.ts';
import type { Taken } from '../../engines/count/taken.ts';
import { answerIn, isTooLongForClient, questionForm, questionKey } from './question-text.ts';
import type { Elicit, ElicitationReply, Elicited, InputRequired, QuestionForm, ToolCall } from './tool.ts';

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
  /** Null, or why the client would not be asked now. */
  whyNotAsked(principal: Principal, content: QuestionContent): NotAsked | null;
  /**
   * Asks on the call's stream and waits, or answers what the client shows before it calls again: if
   * a principal has too many of these open, its oldest is dropped. Never rejects.
   */
  ask(call: ToolCall, content: QuestionContent, binding: QuestionBinding, shown: Taken): Promise<ClientVerdict>;
  /**
   * What a repeated call brings, once, for a state issued for this very binding and not too old.
   * @returns null for any other.
   */
  redeem(reply: ElicitationReply, binding: QuestionBinding): Redeemed | null;
  /** Drops a state that came back to a finished call of its principal. */
  discard(state: string, principal: Principal): void;
  onEvent(listener: (event: QuestionEvent) => void): void;
}

type ClientVerdict = Verdict | InputRequired | { readonly kind: 'too_long_for_client' };

interface Redeemed {
  /** Null if it brings no answer. */
  readonly answer: 'yes' | 'no' | 'nobody' | null;
  readonly shown: Taken;
}

interface Facts extends QuestionFacts {
  readonly shown: Taken | null;
}

export function openClientQuestions({ key, desk }: ClientQuestionPorts): ClientQuestions {
  /** An id that isn't there was never issued in this run, or is used up. */
  const forms = desk.of<Facts>('form');

  function macOf(id: string, { principal, tool, args, circumstances }: QuestionBinding): string {
    const bound = canonical([id, principal.id, tool, args, circumstances]);
    return createHmac('sha256', key).update(`sallyport request state\0${bound}`).digest('base64url');
  }

  /** Nothing shows that a person saw it. */
  function end(id: string, answer: Redeemed['answer'] | 'ended'): boolean {
    const move: AskMove = answer === 'ended' ? 'cancelled' : answer === 'yes' || answer === 'no' ? answer : 'void';
    return forms.move(id, move, {}, `${answer}, said by the client itself`);
  }

  function stateOf(asked: NewAsk<Facts>, binding: QuestionBinding): string | null {
    // A client doesn't announce that it dropped a question: refusing new ones would lock it out
    // for five minutes.
    const oldest = forms.waiting().find(({ asker }) => asker.id === asked.asker.id);
    if (forms.whyNot(asked)?.kind === 'too_many_open' && oldest !== undefined) forms.move(oldest.id, 'void');
    const id = forms.ask(asked)?.ask.id;
    return id === undefined ? null : `${id}.${macOf(id, binding)}`;
  }

  async function onStream(asked: NewAsk<Facts>, form: QuestionForm, elicit: Elicit, signal: AbortSignal) {
    const waits = forms.ask(asked, signal);
    if (waits === null) return null;
    const over = new AbortController();
    void elicit(form, AbortSignal.any([signal, over.signal])).then(elicited => end(waits.ask.id, answerOf(elicited)));
    const { because } = await waits.ended;
    over.abort();
    return { kind: endOfQuestion(because) };
  }

  return {
    whyNotAsked(principal, content) {
      const whyNot = forms.whyNot(askOf(principal, content, null));
      // Of too many its oldest may give way.
      return whyNot?.kind === 'quiet' ? whyNot : null;
    },

    async ask({ principal, channel, signal }, content, binding, shown) {
      if (signal.aborted) return { kind: 'cancelled' };
      if (channel.kind === 'none') return { kind: 'nobody' };
      if (isTooLongForClient(content)) return { kind: 'too_long_for_client' };
      const asked = askOf(principal, content, shown);
      const form = questionForm(content, principal);
      if (channel.kind === 'stream')
        return (
          (await onStream(asked, form, channel.elicit, signal)) ?? forms.whyNot(asked) ?? { kind: 'too_many_open' }
        );
      const state = stateOf(asked, binding);
      return state === null
        ? (forms.whyNot(asked) ?? { kind: 'too_many_open' })
        : { kind: 'input_required', form, state };
    },

    redeem({ state, responses }, binding) {
      const [id = '', mac = '', ...more] = state.split('.');
      if (more.length > 0 || !sameSecret(mac, macOf(id, binding))) return null;
      const shown = forms.find(id)?.facts.shown ?? null;
      const answer = Object.hasOwn(responses, questionKey) ? answerIn(responses[questionKey]) : null;
      return end(id, answer) && shown !== null ? { answer, shown } : null;
    },

    discard(state, principal) {
      const [id = ''] = state.split('.', 1);
      if (forms.find(id)?.asker.id === principal.id) forms.move(id, 'void');
    },

    onEvent: forms.onEvent,
  };
}

function answerOf(elicited: Elicited): 'ended' | ReturnType<typeof answerIn> {
  if (elicited.kind === 'answered') return answerIn(elicited.result);
  return elicited.kind === 'ended' ? 'ended' : 'nobody';
}

function askOf(principal: Principal, content: QuestionContent, shown: Taken | null): NewAsk<Facts> {
  return {
    asker: { id: principal.id, group: null, lineage: [] },
    key: null,
    about: content.connection.id,
    facts: { ...questionFacts(principal, content), shown },
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
