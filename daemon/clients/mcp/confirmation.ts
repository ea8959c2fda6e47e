/**
 * Asks the user for approval (spec §12): by an attached shell; through the client only if no shell
 * is attached and the token allows it; else nobody is asked. The asking tool decides what an
 * approval runs.
 */

import type { Concurrency } from '../../access/limits/concurrency.ts';
import type { Approvals, QuestionContent, Verdict } from '../../access/questions/approvals.ts';
import type { FirstUses } from '../../access/questions/first-use.ts';
import type { Taken } from '../../engines/count/taken.ts';
import { takesWords } from '../../engines/count/taken-words.ts';
import type { Refusal } from '../../refusal.ts';
import type { ClientQuestions, QuestionBinding } from './client-questions.ts';
import type { Log } from './log.ts';
import { type InputRequired, refused, type ToolCall } from './tool.ts';

export interface ConfirmationPorts {
  readonly approvals: Approvals;
  readonly firstUses: FirstUses;
  readonly clientQuestions: ClientQuestions;
  /** Waiting for a person takes none of the principal's slots. */
  readonly whileWaiting: Concurrency['whileWaiting'];
  readonly log: Log;
}

type Refused = { readonly kind: 'refused'; readonly refusal: Refusal };
type Answered = { readonly kind: 'yes' } | Refused;
/** An approval covers what was shown. */
type Confirmation = { readonly kind: 'yes'; readonly shown: Taken } | InputRequired | Refused;
/** Counts what the statement takes; called only once it is known that somebody would be asked. */
type Count = () => Promise<
  /** `forClient`: what a question through the client may tell of it. */
  { readonly kind: 'counted'; readonly taken: Taken; readonly forClient: Taken } | Refused
>;

/** Asks about a statement that needs approval each time. */
export async function confirm(
  ports: ConfirmationPorts,
  call: ToolCall,
  content: QuestionContent,
  about: Omit<QuestionBinding, 'principal'>,
  count: Count,
): Promise<Confirmation> {
  const { approvals, clientQuestions } = ports;
  const { principal, signal, elicitationReply } = call;
  const { name } = content.connection;
  const binding = { ...about, principal };
  // Without our state an answer belongs to no question.
  if (elicitationReply !== null) {
    const brought = clientQuestions.redeem(elicitationReply, binding);
    if (brought === null) return unknownAnswer(ports, call, name);
    if (brought.answer !== null) return withShown(answered({ kind: brought.answer }, name), brought.shown);
  }
  const mayAskClient = principal.confirmInClient && call.channel.kind !== 'none';
  const isAskedHere = approvals.someoneAnswers() || !mayAskClient;
  const whyNot = isAskedHere
    ? await waitingForUser(ports, call, () => approvals.whyNotAsked(principal, content, signal))
    : clientQuestions.whyNotAsked(principal, content);
  if (whyNot !== null) return refused(refusalOf(whyNot, name));
  const counted = await count();
  if (counted.kind === 'refused') return counted;
  const shown = counted.taken;
  const ask = () =>
    isAskedHere
      ? approvals.ask(principal, withTakes(content, shown), signal)
      : clientQuestions.ask(call, withTakes(content, counted.forClient), binding, shown);
  const verdict = await waitingForUser(ports, call, ask);
  return verdict.kind === 'input_required' ? verdict : withShown(answered(verdict, name), shown);
}

function withTakes(content: QuestionContent, taken: Taken): QuestionContent {
  const { statement } = content;
  return statement === null ? content : { ...content, statement: { ...statement, takes: takesWords(taken) } };
}

function withShown(answer: Answered, shown: Taken): Exclude<Confirmation, InputRequired> {
  return answer.kind === 'yes' ? { kind: 'yes', shown } : answer;
}

/**
 * Asks for the policy `askEachTime`: in a shell, never through the client. A yes holds for a while.
 */
export async function confirmFirstUse(
  ports: Pick<ConfirmationPorts, 'firstUses' | 'whileWaiting'>,
  call: ToolCall,
  content: QuestionContent,
): Promise<Answered | { readonly kind: 'changed' }> {
  const verdict = await waitingForUser(ports, call, () => ports.firstUses.allow(call.principal, content, call.signal));
  return verdict.kind === 'changed' ? verdict : answered(verdict, content.connection.name);
}

function unknownAnswer({ log }: Pick<ConfirmationPorts, 'log'>, { principal, client }: ToolCall, connection: string) {
  const { id, tokenName } = principal;
  log.warn({ principal: id, tokenName, client, connection }, 'an answer came back that belongs to no open question');
  return refused({ kind: 'invalid_request_state' });
}

const saySeconds = 10;

/** Every wait for a person passes here. */
async function waitingForUser<Result>(
  { whileWaiting }: Pick<ConfirmationPorts, 'whileWaiting'>,
  { principal, progress, clock }: ToolCall,
  ask: () => Promise<Result>,
): Promise<Result> {
  const wait = (): Promise<Result> => clock.uncounted(() => whileWaiting(principal, ask));
  if (progress === null) return wait();
  let said = 0;
  // Repeated for clients that give up on silence. Progress has to grow and stays below 1, where
  // tools begin.
  const say = (): void => {
    progress(said / (said + 1), null, 'waiting for the user');
    said += 1;
  };
  const saying = setInterval(say, saySeconds * 1000);
  say();
  try {
    return await wait();
  } finally {
    clearInterval(saying);
  }
}

type Said = Verdict | { readonly kind: 'too_long_for_client' };

function answered(said: Said, connection: string): Answered {
  return said.kind === 'yes' ? { kind: 'yes' } : refused(refusalOf(said, connection));
}

/** Why there was no approval (spec §4, §12). */
function refusalOf(said: Exclude<Said, { kind: 'yes' }>, connection: string): Refusal {
  if (said.kind === 'cancelled') return { kind: 'cancelled' };
  const secondsLeft = said.kind === 'quiet' ? said.secondsLeft : 0;
  return { kind: 'no_yes', why: said.kind, connection, secondsLeft };
}
