/**
 * Puts a refusal into words for a model (spec §4): what was refused, why, and that the user can
 * allow it. It never says how: an agent with a shell would type that. A model is pointed to a tool
 * only if its token's scope has it.
 */

import { ProtocolError } from '@modelcontextprotocol/server';
import { errorCodes } from '../../../shared/codes.ts';
import type { RequestKeeping } from '../../access/requests/access-requests.ts';
import { covers, type Scope, scopeLabels } from '../../access/tokens/token.ts';
import { nearest } from '../../engines/nearest-names.ts';
import { beginning } from '../../engines/shorten.ts';
import type { AskedAlready, Refusal, ToolErrorWord } from '../../refusal.ts';
import { clockWords } from './request-access.ts';

interface Worded {
  readonly word: ToolErrorWord;
  readonly sentence: string;
  /**
   * For a program that has words of its own, such as `sallyport query`; null if the sentence suits
   * every reader.
   */
  readonly facts: Readonly<Record<string, unknown>> | null;
}

/**
 * @param scope of the token whose client reads the words.
 * @returns a ProtocolError for what the client, not the model, must read.
 */
export function wordsOf(refusal: Refusal, scope: Scope): Worded | ProtocolError {
  switch (refusal.kind) {
    case 'tool_error': {
      const { word, sentence, request } = refusal;
      const said = `${word}: ${sentence}`;
      if (request === undefined && word === 'not_connected')
        return { word, sentence: `${sentence} ${laterAdvice}`, facts: { kind: word, said } };
      if (request === undefined) return { word, sentence, facts: null };
      const facts = { kind: 'host_key', said };
      return { word, sentence: [sentence, usersToAllow, ...requestAdvice(refusal)].join(' '), facts };
    }
    case 'read_only': {
      const { kind, limitedBy, isDestructive, reason, reasonAdvises } = refusal;
      const advice = reasonAdvises ? [] : [usersToAllow, ...requestAdvice(refusal)];
      const { says, otherwise } = readOnlySentences[limitedBy];
      // Only one way out is named: if the user ran the statement and the model sent it again, it
      // would run twice.
      const sentences = [says, ...(refusal.request === undefined ? [otherwise] : []), reason, ...advice];
      const facts = { kind, limited_by: limitedBy, destructive: isDestructive, reason };
      return { word: 'denied', sentence: sentences.join(' '), facts };
    }
    case 'needs_yes': {
      const { kind, because, told, canBePreviewed } = refusal;
      const said = told.join(' ');
      const advice = [
        ...previewAdvice(scope, canBePreviewed),
        confirmAdvice(scope, refusal.request),
        ...requestAdvice(refusal),
      ];
      const sentence = [said, ...advice].join(' ');
      return { word: 'denied', sentence, facts: { kind, because, said } };
    }
    case 'no_yes': {
      const { kind, why, connection, secondsLeft } = refusal;
      const waits = refusal.request === undefined ? {} : { waits: refusal.request !== 'not kept' };
      const facts = { kind, why, ...waits, ...(why === 'quiet' && { seconds_left: secondsLeft }) };
      return { word: noYesWords[why], sentence: noYesSentence(why, connection, secondsLeft), facts };
    }
    case 'withdrawn': {
      const { kind, why, mayHaveRun } = refusal;
      const sentence = [withdrawnSentence(why), ...mayHaveRunSentence(mayHaveRun)].join(' ');
      return { word: mayHaveRun === true ? 'outcome_unknown' : 'denied', sentence, facts: { kind, because: why.kind } };
    }
    case 'asked_already': {
      const { kind, state, since } = refusal;
      return { word: 'denied', sentence: askedSentences[state](clockWords(since)), facts: { kind, state } };
    }
    case 'masked':
      return { word: 'denied', sentence: maskedSentence(refusal), facts: null };
    case 'unrecordable': {
      const sentence =
        "Nothing was run, because what writes must be recorded first and the activity log can't be written. Tell the user; reading still works.";
      return { word: 'denied', sentence, facts: { kind: refusal.kind } };
    }
    case 'connection_unavailable': {
      const { kind, asked, usable } = refusal;
      return new ProtocolError(errorCodes.forbidden, unavailableSentence(asked, usable), { reason: kind });
    }
    case 'tool_out_of_scope': {
      const { kind, tool, has } = refusal;
      const sentence = `${scopeLabels[has]} doesn't include ${tool}. ${usersToAllow}`;
      return { word: 'denied', sentence, facts: { kind, code: errorCodes.forbidden } };
    }
    case 'unknown_tool':
      return new ProtocolError(
        errorCodes.invalidParams,
        `There is no tool ${quotedName(refusal.tool)}; tools/list names them.`,
      );
    case 'unknown_argument':
      return new ProtocolError(errorCodes.invalidParams, unknownArgumentSentence(refusal), { reason: refusal.kind });
    case 'malformed_cursor':
      return malformedCursor();
    case 'invalid_request_state':
      return new ProtocolError(
        errorCodes.invalidParams,
        'This requestState belongs to no open question about this very call: it was changed, used before or too late. Call again without it.',
        { reason: refusal.kind },
      );
    case 'cancelled':
      return new ProtocolError(errorCodes.cancelled, 'The request was cancelled.');
  }
}

/** Each sentence is whole by itself: in a new conversation it may be the first that is read. */
export const askedSentences: Readonly<Record<AskedAlready['state'], (since: string) => string>> = {
  waiting: since => `This still waits for the user, since ${since}; it has not run. Go on with something else.`,
  again: () =>
    'Nothing was changed: it would have taken more than the user saw, so it waits for them again. Go on with something else.',
  refused: () => 'The user refused this; other words for it are the same. Ask them what to do instead.',
};

const laterAdvice = 'Call again later, or ask the user to look at the connection.';
const usersToAllow = 'Only the user can allow it.';

function requestAdvice({ request }: { readonly request?: RequestKeeping }): readonly string[] {
  if (request === undefined) return [];
  if (request === 'not kept')
    return [
      'It was not kept for them, as too many requests wait already, or it is too long: tell them, and send it shorter, or again later.',
    ];
  const forgotten = request === 'kept' ? '' : ' A restart of Sallyport forgets it: send it again then, too.';
  return [`It waits for them: tell them so, and send the same again once they have answered.${forgotten}`];
}

/** Spec §4 and §15 prescribe what is said of a connection, word for word. */
export const readOnlySentences = {
  connection: {
    says: 'This connection is read only for external clients.',
    otherwise: 'Read from it, or ask the user to run the statement.',
  },
  token: {
    says: 'This token may only read.',
    otherwise: 'Read from the connection, or ask the user to run the statement.',
  },
} as const;

/** How to run a statement that needs approval. @param request whether one was made and kept. */
export function confirmAdvice(scope: Scope, request?: RequestKeeping): string {
  if (covers(scope, 'fullAccess')) return 'confirm_destructive_operation runs it once the user approves.';
  const needs = "It needs the user's yes, which you can't ask for here";
  return request === undefined ? `${needs}: ask the user to run it.` : `${needs}.`;
}

function previewAdvice(scope: Scope, canBePreviewed: boolean): readonly string[] {
  return canBePreviewed && covers(scope, 'readWrite') ? ['preview_write tells what it would change.'] : [];
}

function withdrawnSentence(why: Extract<Refusal, { kind: 'withdrawn' }>['why']): string {
  switch (why.kind) {
    case 'tool':
      return 'The user took this tool from this client while the call ran, so the call was stopped.';
    case 'connection':
      return `The user took ${quotedName(why.connection)} away from this client while the call ran, so the call was stopped.`;
    case 'yes_first':
      return `The user wants to be asked before ${quotedName(why.connection)} is used, since this call began, so the call was stopped.`;
    case 'writing':
      return `${noLongerWritable(why)} while the call ran, so the call was stopped.`;
  }
}

function noLongerWritable({
  by,
  connection,
}: Extract<Extract<Refusal, { kind: 'withdrawn' }>['why'], { kind: 'writing' }>): string {
  switch (by) {
    case 'connection':
      return `The user made ${quotedName(connection)} read only`;
    case 'time':
      return `The time for which the user allowed writing to ${quotedName(connection)} ended`;
    case 'token':
      return "The user made this client's token read only";
  }
}

function mayHaveRunSentence(mayHaveRun: boolean | null): readonly string[] {
  if (mayHaveRun === null) return [];
  return [mayHaveRun ? 'It may have taken effect: look before you repeat it.' : 'Nothing was changed.'];
}

/** How many columns a sentence has room for. */
const mostColumnsNamed = 8;

/** What to leave out, so that the statement can be sent again without. */
function maskedSentence({ columns }: Extract<Refusal, { kind: 'masked' }>): string {
  const names = [...new Set(columns.map(({ table, column }) => `${table}.${column}`))];
  const more = names.length - mostColumnsNamed;
  const told = [...names.slice(0, mostColumnsNamed), ...(more > 0 ? [`${more} more`] : [])];
  const list = [told.slice(0, -1).join(', '), told.at(-1)].filter(Boolean).join(' and ');
  return `It reads ${list}, which this connection masks: leave ${names.length === 1 ? 'it' : 'them'} out, and name the columns you need instead of *.`;
}

type NoYes = Extract<Refusal, { kind: 'no_yes' }>['why'];

const noYesWords: Readonly<Record<NoYes, ToolErrorWord>> = {
  no: 'user_cancelled',
  timeout: 'timeout',
  nobody: 'denied',
  too_long_for_client: 'denied',
  too_many_open: 'denied',
  quiet: 'denied',
};

function noYesSentence(why: NoYes, connection: string, secondsLeft: number): string {
  switch (why) {
    case 'no':
      return 'The user said no, so nothing ran. Ask them what to do instead.';
    case 'timeout':
      return 'The user did not answer in time, so nothing ran. Call again when they are there.';
    case 'nobody':
      return "This needs the user's yes, and Sallyport can ask nobody now, so nothing ran. Tell the user, and call again when they say so.";
    case 'too_long_for_client':
      return 'The statement is too long to be shown in this client, and Sallyport can ask nobody elsewhere now, so nothing ran. Tell the user, and call again when they say so.';
    case 'too_many_open':
      return 'Too many of your questions wait for the user already, or this one is too long to be put before them. Shorten it, or call again once the others are answered.';
    case 'quiet':
      return `The user has just said no about "${connection}", so nothing about it is asked for another ${secondsLeft} s. Talk to them first.`;
  }
}

export const malformedCursorSentence = 'This cursor is not one that Sallyport gave; ask again without it.';

export function malformedCursor(): ProtocolError {
  return new ProtocolError(errorCodes.invalidParams, malformedCursorSentence);
}

/** How many connections a sentence names; the nearest names come first. */
const mostUsable = 20;

/** Clients drop an error's `data` and cut long texts, so the sentence begins with what to do. */
function unavailableSentence(asked: string, usable: readonly string[]): string {
  const what = `no connection ${quotedName(asked)} is available to this client`;
  if (usable.length === 0) return `Ask the user to allow a connection in Sallyport: ${what}, and no other.`;
  const unnamed = usable.length - mostUsable;
  const more = unnamed > 0 ? `, or one of ${unnamed} more, which list_connections names` : '';
  return `Use ${usable.slice(0, mostUsable).map(quotedName).join(' or ')}${more}: ${what}.`;
}

export function unknownArgumentSentence({
  tool,
  argument,
  accepted,
}: Extract<Refusal, { kind: 'unknown_argument' }>): string {
  const takes = accepted.length === 0 ? 'no arguments' : accepted.join(', ');
  const [near] = nearest(accepted, argument);
  const meant = near === undefined ? '' : ` Did you mean ${near}?`;
  return `${tool} has no argument ${quotedName(argument)}; it takes ${takes}.${meant}`;
}

/**
 * A name that a model gave, quoted and cut to the length of a name. A model may put its token, or a
 * URL with a password, in place of a name; errors are shown and logged where these don't belong.
 */
function quotedName(text: string): string {
  const plain = text.replace(/sp_[\w-]{43}/g, 'sp_…').replace(/[^\s"'<>]+/g, withoutPassword);
  return JSON.stringify(beginning(plain, 64));
}

/**
 * A word without what is between `://` and its last @. One pattern for that would be tried at each
 * `://` of megabytes of them, and block everybody for hours.
 */
function withoutPassword(word: string): string {
  const start = word.indexOf('://');
  const end = word.lastIndexOf('@');
  return start === -1 || end < start ? word : `${word.slice(0, start)}://…${word.slice(end)}`;
}
