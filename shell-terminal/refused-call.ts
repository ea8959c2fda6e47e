/**
 * The sentence for a person if `sallyport query` is refused. The daemon words refusals for models,
 * which never learn how to get more; here they are for the owner, with the command that helps.
 */

import { shellWord } from '../shared/client-configs.ts';
import { errorCodes } from '../shared/codes.ts';
import { isObject } from '../shared/json.ts';

/** A JSON-RPC error, or a tool error with the `_meta` of its result. */
export type RefusedCall =
  | { readonly kind: 'error'; readonly code: unknown; readonly message: string; readonly data: unknown }
  | { readonly kind: 'tool_error'; readonly text: string; readonly meta: unknown };

/** @param connection as typed. */
export function refusedSentence(refused: RefusedCall, connection: string): string {
  if (refused.kind === 'error') return errorSentence(refused, connection);
  const facts = isObject(refused.meta) ? refused.meta['app.sallyport/refusal'] : null;
  const sentence = isObject(facts) ? sentenceOf(facts, connection) : null;
  if (sentence !== null) return sentence;
  return refused.text;
}

function errorSentence({ code, message, data }: Extract<RefusedCall, { kind: 'error' }>, connection: string): string {
  const reason = isObject(data) ? data.reason : null;
  if (reason === 'connection_unavailable') return unavailable(connection);
  if (reason === 'paused') return paused;
  if (code === errorCodes.switchedOff && reason === 'switched_off')
    return "Sallyport's MCP server is switched off; `sallyport settings set enabled true` switches it on. If it is on, `sallyport status` says why it doesn't serve.";
  return message;
}

function unavailable(connection: string): string {
  return `No connection ${JSON.stringify(connection)} is open to AI clients, so it is not open to this command either. \`sallyport connections list\` shows the connections and their levels.`;
}

const paused = 'Sallyport is paused, and this command with it; `sallyport resume` ends that.';

/**
 * @returns null for a kind that this version doesn't know; then the sentence for models is shown.
 */
function sentenceOf(facts: Readonly<Record<string, unknown>>, connection: string): string | null {
  switch (facts.kind) {
    case 'read_only':
      return facts.limited_by === 'connection' ? readOnly(facts, connection) : null;
    case 'paused':
      return paused;
    case 'not_connected': {
      const said = String(facts.said);
      return `${said}${said.endsWith('.') ? '' : '.'} \`sallyport connections test ${shellWord(connection)}\` says more.`;
    }
    case 'host_key':
      return `${facts.said} \`sallyport allow\` shows it, and trusts it once you have compared it.`;
    case 'needs_yes':
      return [facts.said, needsYes(facts, connection)].join(' ');
    case 'asked_already':
      return askedAlready[String(facts.state)] ?? null;
    case 'no_yes':
      return noYes(facts, connection);
    case 'unrecordable':
      return "Nothing was run: writes are recorded first, and the activity log can't be written. `sallyport status` says why. Reading still works.";
    default:
      return null;
  }
}

function readOnly({ reason, destructive }: Readonly<Record<string, unknown>>, connection: string): string {
  const first = `${connection} is read only for AI clients, and so for this command. ${reason}`;
  return destructive === true
    ? `${first} ${onTerminal}`
    : `${first} ${onTerminal} \`sallyport connections set ${shellWord(connection)} --external-clients read-write --for 1h\` allows writing for an hour.`;
}

/** The command asks there by itself. */
const onTerminal = 'On a terminal this command runs it, once you have typed your passphrase.';

const askedAlready: Readonly<Record<string, string>> = {
  again: `Nothing was changed: it would have taken more than you were shown, so it waits for you again; \`sallyport allow\` shows it. ${onTerminal}`,
  waiting: 'This waits for your answer; `sallyport allow` shows it.',
  refused: 'You denied this statement a moment ago. It can be asked again 15 minutes after it was first asked.',
};

function needsYes({ because }: Readonly<Record<string, unknown>>, connection: string): string {
  return because === 'rows'
    ? `${onTerminal} \`sallyport connections set ${shellWord(connection)} --write-row-limit N\` allows more rows of a table in an hour, but never all of them.`
    : `It runs only once you approve it. ${onTerminal}`;
}

function noYes(facts: Readonly<Record<string, unknown>>, connection: string): string {
  const { why, waits, seconds_left: secondsLeft } = facts;
  switch (why) {
    case 'no':
      return 'The answer was no, so nothing ran.';
    case 'timeout':
      return 'Nobody answered the question in time, so nothing ran. Run this again, and answer it.';
    case 'nobody':
    case 'too_long_for_client':
      return waits === true
        ? 'This needs your approval, so it waits; `sallyport allow` shows it. Answer it, then run this again.'
        : 'This needs your approval, but it does not wait for it: too many requests do, or it is too long. `sallyport allow` shows what waits; answer some, then run this again.';
    case 'too_many_open':
      return 'Too many questions wait for your answer. `sallyport allow` lists them; answer some, then run this again.';
    case 'quiet':
      return `The last answer about ${connection} was no; the next question can be asked in ${secondsLeft} s.`;
    default:
      return 'It was not confirmed, so nothing ran.';
  }
}
