/**
 * Every sentence about waiting (spec §4): what a call waited for and how long, whether anything can
 * have happened, what to do. For clients; a person's test reads `waited` alone.
 */

import type { Connection } from '../access/connection.ts';
import type { BusyReason, DatabaseFailure } from '../engines/engine.ts';
import { type Refusal, type ToolErrorWord, toolError } from '../refusal.ts';

/** Whether a call could ask for more time: `fixed` if its tool has no `timeout_seconds`. */
export type TimeoutRaise = 'can-raise' | 'at-maximum' | 'fixed';

type Waiting = Extract<
  DatabaseFailure,
  { kind: 'timeout' | 'server_limit' | 'locked' | 'no_answer' | 'no_free_session' | 'busy' | 'outcome_unknown' }
>;

type Reached = Pick<Connection, 'name' | 'tunnel'>;

export function waitedInVain(failure: Waiting, connection: Reached, time: TimeoutRaise): Refusal {
  const sentences = [waited(failure, connection), advice(failure, time)];
  return toolError(codes[failure.kind], sentences.filter(sentence => sentence !== null).join(' '));
}

const codes = {
  busy: 'busy',
  no_free_session: 'busy',
  locked: 'lock_timeout',
  timeout: 'timeout',
  server_limit: 'timeout',
  no_answer: 'not_connected',
  outcome_unknown: 'outcome_unknown',
} as const satisfies Readonly<Record<Waiting['kind'], ToolErrorWord>>;

/** What was waited for, and what can have happened, as sentences. */
export function waited(failure: Waiting, { name, tunnel }: Reached): string {
  switch (failure.kind) {
    case 'timeout': {
      const before = failure.waited === undefined ? '' : ` The call had waited ${failure.waited} s before.`;
      return `The statement was stopped after ${failure.seconds} s, and nothing of it stays.${before}`;
    }
    case 'server_limit':
      return `The server ended the statement by its own limit, ${failure.limit}, and nothing of it stays.`;
    case 'locked': {
      const { seconds, limit, holder } = failure;
      const by = limit === undefined ? '' : ` by the server's own limit, ${limit}`;
      const whose = holder === null ? 'The server did not tell who holds it.' : `It is held by ${holder}.`;
      return `The statement waited ${seconds} s for a lock of another session and was ended${by}; nothing of it stays. ${whose}`;
    }
    case 'no_answer':
      return `"${name}": ${silent(failure, tunnel !== undefined && tunnel !== null)}`;
    case 'no_free_session': {
      const { sessions, seconds, own } = failure;
      const whose = own === sessions ? 'all' : own === 0 ? 'none' : `${own}`;
      return `Nothing ran: all ${sessions} sessions of "${name}" were busy for ${seconds} s, ${whose} of them with calls of your own.`;
    }
    case 'busy':
      return `Nothing ran: ${noRoom(failure.why, name)}.`;
    case 'outcome_unknown':
      return `How the statement ended on "${name}" is not known, for ${failure.reason}: it may have taken effect.`;
  }
}

function noRoom(why: BusyReason, name: string): string {
  switch (why.who) {
    case 'server': {
      const own = why.seconds === null ? '' : `, and none of Sallyport's own became free within ${why.seconds} s`;
      return `the server of "${name}" takes no further connection now (it said: ${why.said.replace(/\.$/, '')})${own}`;
    }
    case 'sessions':
      return `sessions of earlier calls of "${name}" did not end within ${why.seconds} s`;
    case 'own_calls':
      return `your other calls had all the places that you have, for ${why.seconds} s`;
    case 'machine':
      return 'this machine is busy, and the statement could not be judged in time';
    case 'own_statements':
      return 'judging your earlier statements took all the time that you have for it';
  }
}

function silent({ stage, seconds }: Extract<Waiting, { kind: 'no_answer' }>, isTunnelled: boolean): string {
  const nobody = isTunnelled
    ? 'neither its tunnel nor the server behind it has answered'
    : 'its server has not answered';
  switch (stage) {
    case 'password':
      return `nothing ran: its password did not come within ${seconds} s.`;
    case 'tunnel':
      return `nothing ran: its tunnel did not open within ${seconds} s.`;
    case 'file':
      return `nothing ran: the file system of its file has not answered for ${seconds} s.`;
    case 'statement':
    case 'commit':
      return `${nobody} for ${seconds} s. Nothing of the statement stays, as the server takes back what was not committed.`;
    default:
      return `nothing ran: ${nobody} for ${seconds} s.`;
  }
}

function advice(failure: Waiting, time: TimeoutRaise): string | null {
  const longer = time === 'can-raise' ? ', or give it longer with timeout_seconds' : '';
  switch (failure.kind) {
    case 'timeout':
      return failure.waited === undefined || time === 'can-raise'
        ? asksForLess[time]
        : 'Ask for less, or ask again later.';
    case 'server_limit':
      return "Ask for less, or ask the user to raise that limit for the connection's role.";
    case 'locked':
      return `Send it again once that session has ended its transaction${failure.isShort === true ? '' : longer}.`;
    case 'no_answer':
      // As for whatever can't be reached (clients/mcp/refusal-words.ts).
      return null;
    case 'no_free_session':
      return failure.own === 0
        ? `Send it again later${longer}.`
        : 'Wait for one of your own to end, or cancel it, then send it again.';
    case 'busy':
      if (failure.why.who === 'server') return `Send it again later${failure.why.seconds === null ? '' : longer}.`;
      return failure.why.who === 'own_statements'
        ? 'Wait a moment, then send it again; write statements shorter or more plainly.'
        : 'Wait a moment, then send it again.';
    case 'outcome_unknown':
      return 'Look before you repeat it.';
  }
}

const asksForLess: Readonly<Record<TimeoutRaise, string>> = {
  'can-raise': 'Ask for less, or for more time with timeout_seconds.',
  'at-maximum': 'Ask for less: no call may take longer.',
  fixed: 'Ask for less.',
};

/** What is told if a call was ended from outside while it was under way. */
export function stoppedOnItsWay(mayStay: boolean): string {
  return mayStay
    ? 'This request was under way, so it may have taken effect: look before you repeat it.'
    : 'No statement of this request took effect.';
}
