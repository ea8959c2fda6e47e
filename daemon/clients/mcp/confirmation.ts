/**
 * Asks the user for approval (spec §12): by an attached shell; through the client only if no shell
 * is attached and the token allows it; else nobody is asked. The asking tool decides what an
 * approval runs.
 */

import type { Concurrency } from '../../access/limits/concurrency.ts';
import type { Approvals, QuestionContent, Verdict } from '../../access/questions/approvals.ts';
import type { FirstUses } from '../../access/questions/first-use.ts';
import type { ActivityLog } from '../../activity.ts';
import type { Taken } from '../../engines/count/taken.ts';
import { takesWords } from '../../engines/count/taken-words.ts';
import type { Refusal } from '../../refusal.ts';
import type { ClientQuestions, QuestionBinding } from './client-questions.ts';
import type { Log } from './log.ts';
import { factsOfQuestion } from './question-log.ts';
import { answerIn, isTooLongForClient, questionForm, questionKey } from './question-text.ts';
import { recordAnswered, recordAsked } from './record-question.ts';
import { type InputRequired, refused, type ToolCall } from './tool.ts';

export interface ConfirmationPorts {
  readonly approvals: Approvals;
  readonly firstUses: FirstUses;
  readonly clientQuestions: ClientQuestions;
  /** Waiting for a person takes none of the principal's slots. */
  readonly whileWaiting: Concurrency['whileWaiting'];
  readonly log: Log;
  readonly activity: Pick<ActivityLog, 'record'>;
}

type Refused = { readonly kind: 'refused'; readonly refusal: Refusal };
type Answered = { readonly kind: 'yes' } | Refused;
/** An approval covers what was shown. */
type Confirmation = { readonly kind: 'yes'; readonly shown: Taken } | InputRequired | Refused;
/** Counts what the statement takes; called only once it is known that somebody would be asked. */
type Count = () => Promise<{ readonly kind: 'counted'; readonly taken: Taken } | Refused>;

/** For statements that need approval each time. */
export async function confirm(
  ports: ConfirmationPorts,
  call: ToolCall,
  content: QuestionContent,
  about: Omit<QuestionBinding, 'principal'>,
  count: Count,
): Promise<Confirmation> {
  const binding = { ...about, principal: call.principal };
  const answer = answerInReply(ports, call, content, binding);
  if (answer !== null) return answer;
  const { approvals } = ports;
  const mayAskClient = call.principal.confirmInClient && call.channel.kind !== 'none';
  const isAskedHere = approvals.someoneAnswers() || !mayAskClient;
  const whyNot = isAskedHere
    ? await waitingForUser(ports, call, () => approvals.whyNotAsked(call.principal, content, call.signal))
    : approvals.quietAbout(content.connection.id);
  if (whyNot !== null) return refused(refusalOfVerdict(whyNot, content.connection.name));
  const counted = await count();
  if (counted.kind === 'refused') return counted;
  const shown = counted.taken;
  const whole = withTakes(content, shown);
  if (!isAskedHere) return askThroughClient(ports, call, whole, binding, shown);
  const verdict = await waitingForUser(ports, call, () => approvals.ask(call.principal, whole, call.signal));
  return withShown(confirmationOf(verdict, content), shown);
}

function withTakes(content: QuestionContent, taken: Taken): QuestionContent {
  const { statement } = content;
  return statement === null ? content : { ...content, statement: { ...statement, takes: takesWords(taken) } };
}

function withShown(answer: Answered, shown: Taken): Exclude<Confirmation, InputRequired> {
  return answer.kind === 'yes' ? { kind: 'yes', shown } : answer;
}

/** For `askEachTime`: by a shell, never through the client, and once for a while. */
export async function confirmFirstUse(
  ports: Pick<ConfirmationPorts, 'firstUses' | 'whileWaiting'>,
  call: ToolCall,
  content: QuestionContent,
): Promise<Answered | { readonly kind: 'changed' }> {
  const verdict = await waitingForUser(ports, call, () => ports.firstUses.allow(call.principal, content, call.signal));
  return verdict.kind === 'changed' ? verdict : confirmationOf(verdict, content);
}

/** Null if the call brings no answer: then there is something to ask. */
function answerInReply(
  ports: ConfirmationPorts,
  { elicitationReply, principal }: ToolCall,
  content: QuestionContent,
  binding: QuestionBinding,
): Confirmation | null {
  // Without our state an answer belongs to no question.
  if (elicitationReply === null) return null;
  const shown = ports.clientQuestions.redeem(elicitationReply.state, binding);
  if (shown === null) {
    ports.log.warn(factsOfQuestion(content, principal), 'an answer came back that belongs to no open question');
    return refused({ kind: 'invalid_request_state' });
  }
  if (!Object.hasOwn(elicitationReply.responses, questionKey)) return null;
  const verdict: Verdict = { kind: answerIn(elicitationReply.responses[questionKey]) };
  return withShown(heardInClient(ports, verdict, content, binding), shown);
}

async function askThroughClient(
  ports: ConfirmationPorts,
  call: ToolCall,
  content: QuestionContent,
  binding: QuestionBinding,
  shown: Taken,
): Promise<Confirmation> {
  const { principal, channel } = call;
  if (channel.kind === 'none') return refused(refusalOfVerdict({ kind: 'nobody' }, content.connection.name));
  if (isTooLongForClient(content)) return refused(tooLongForClient(content.connection.name));
  const form = questionForm(content, principal);
  ports.log.info(factsOfQuestion(content, principal), 'a question is asked through the client');
  recordAsked(ports.activity, content, principal);
  if (channel.kind === 'retry')
    return { kind: 'input_required', form, state: ports.clientQuestions.issue(binding, shown) };
  const verdict = await waitingForUser(ports, call, () =>
    ports.clientQuestions.ask(principal, form, channel.elicit, call.signal),
  );
  return withShown(heardInClient(ports, verdict, content, binding), shown);
}

function heardInClient(
  { approvals, log, activity }: ConfirmationPorts,
  verdict: Verdict,
  content: QuestionContent,
  { principal }: QuestionBinding,
): Answered {
  log.info({ ...factsOfQuestion(content, principal), answer: verdict.kind }, 'a question to the client has ended');
  // Nothing shows that a person saw it.
  recordAnswered(activity, content, principal, verdict.kind, `${verdict.kind}, said by the client itself`);
  if (verdict.kind === 'no') approvals.heardNo(content.connection.id);
  return confirmationOf(verdict, content);
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

function confirmationOf(verdict: Verdict, { connection }: QuestionContent): Answered {
  return verdict.kind === 'yes' ? { kind: 'yes' } : refused(refusalOfVerdict(verdict, connection.name));
}

/** Words why there was no approval (spec §4, §12). */
function tooLongForClient(connection: string): Refusal {
  return { kind: 'no_yes', why: 'too_long_for_client', connection, secondsLeft: 0 };
}

function refusalOfVerdict(verdict: Exclude<Verdict, { kind: 'yes' }>, connection: string): Refusal {
  if (verdict.kind === 'cancelled') return { kind: 'cancelled' };
  const secondsLeft = verdict.kind === 'quiet' ? verdict.secondsLeft : 0;
  return { kind: 'no_yes', why: verdict.kind, connection, secondsLeft };
}
