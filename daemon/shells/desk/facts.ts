/**
 * What a card and a prompt show of an ask (spec §12), as labelled facts in drawing order: our words
 * in parts, so that a shell can say them in another language; others' text as it is.
 */

import type { ConfirmationFact } from '../../../shared/control-commands.ts';
import { textSize } from '../../../shared/text-size.ts';
import type { Text } from '../../../shared/texts.ts';
import { fact } from '../../access/privilege-increases/increase-words.ts';
import { english, type ReasonPart, say, type WordedReason } from '../../guard/reason.ts';
import type { AskView, Said } from '../messages/ask.ts';

export function saidOf(words: readonly ReasonPart[]): Said {
  return { text: english(words), parts: words.map(({ code, values }) => ({ code, values: [...values] })) };
}

/** A fact whose value is in our words, so a shell can say it in its language. */
export function ours(label: Text, words: readonly ReasonPart[]): ConfirmationFact {
  const { text, parts } = saidOf(words);
  return { ...fact(label, text), parts };
}

export function claim(label: Text, value: string): ConfirmationFact {
  return { ...fact(label, value), isClaim: true };
}

const titles: Readonly<Record<AskView['kind'], readonly ReasonPart[]>> = {
  statement: say('Run a write statement?'),
  first_use: say('Use this connection?'),
  host_key: say('Go through an SSH server that is not known yet?'),
  increase: say('Give AI clients more access?'),
  pairing: say('Pair this client with Sallyport?'),
};

export const destructiveTitle = saidOf(say('Run a destructive statement?'));

export function titleOf(kind: AskView['kind'], statement: AskView['statement'] = null): Said {
  if (statement?.statements === 1) return saidOf(say('Run a plan of 1 statement?'));
  if (statement?.statements !== undefined)
    return saidOf(say('Run a plan of %@ statements?', String(statement.statements)));
  if (statement?.class === 'destructive') return destructiveTitle;
  return saidOf(statement?.class === 'read' ? say('Run a statement that reads?') : titles[kind]);
}

const needs: Readonly<Record<NonNullable<AskView['lacks']>, readonly ReasonPart[]>> = {
  connection_level: say('The connection is read only for AI clients.'),
  token_scope: say('It may only read.'),
  yes: say('It runs only once you approve it.'),
  first_use: say('This connection’s AI policy is Ask Each Time.'),
  host_key: say('Nobody has confirmed the host key of an SSH server on the way.'),
};

interface Asked extends Pick<AskView, 'kind' | 'waits' | 'client' | 'token' | 'lacks' | 'means'> {
  /** The programs that started the client's bridge, outermost first; null if unknown. */
  readonly program: string | null;
  readonly isBox: boolean;
  readonly connection: NonNullable<AskView['connection']>;
  readonly statement: StatementAsked | null;
}

interface StatementAsked extends Omit<WordedReason, 'reasonParts'> {
  readonly reasonParts: NonNullable<ConfirmationFact['parts']>;
  readonly text: string;
  readonly tables: readonly string[];
  /** Of a plan: how many there are. */
  readonly statements?: number | undefined;
  readonly database?: string | null;
  readonly schema?: string | null;
}

export function pairingFacts(
  client: string,
  { address, receiver, kind }: NonNullable<AskView['pairing']>['redirect'],
): ConfirmationFact[] {
  const unknown = kind === 'loopback' ? say('Nobody listens there, or unknown') : say('Unknown');
  const takenBy = receiver === null ? ours('Taken by', unknown) : fact('Taken by', receiver);
  return [claim('Calls itself', client), fact('Code goes to', address), takenBy];
}

/**
 * The facts of what a client asks. Where there is little room, those up to its length are shown.
 */
export function factsOf(asked: Asked): ConfirmationFact[] {
  const { kind, waits, client, program, token, isBox, connection, lacks, means, statement } = asked;
  const marks = [...(connection.colour === null ? [] : [connection.colour]), ...connection.tags];
  const missing = lacks ?? (kind === 'first_use' ? kind : null);
  return [
    claim('Calls itself', client),
    ...(token === null ? [ours('Token', say('None: it asks through the stdio bridge'))] : []),
    ...(token === null ? [] : [isBox ? fact('Box', token) : fact('Token', token)]),
    fact('Connection', connection.name),
    ...(marks.length === 0 ? [] : [fact('Tags', marks.join(', '))]),
    ...(statement === null ? [] : sizeFacts(statement)),
    ...(means === null ? [] : [fact('If approved', means)]),
    ...(program === null ? [] : [fact('Started by', program)]),
    ...(waits || program !== null ? [] : [ours('Started by', say('Unknown'))]),
    ...(missing === null ? [] : [waits ? ours('Why', needs[missing]) : ours('Refused', needs[missing])]),
    ...(statement === null ? [] : whyFacts(statement)),
  ];
}

function sizeFacts({ text, tables, statements }: StatementAsked): ConfirmationFact[] {
  const named = tables.length === 0 ? ours('Tables', say('None')) : fact('Tables', tables.join(', '));
  return [named, ours('Length', sizeOf(text, statements))];
}

function whyFacts({ reason, reasonParts, database = null, schema = null }: StatementAsked): ConfirmationFact[] {
  const parts = reasonParts.map(({ code, values }) => ({ code, values: [...values] }));
  return [
    { ...fact('Why', reason), ...(parts.length > 0 && { parts }) },
    ...(database === null ? [] : [fact('Database', database)]),
    ...(schema === null ? [] : [fact('Schema', schema)]),
  ];
}

function sizeOf(text: string, statements: number | undefined): readonly ReasonPart[] {
  const { characters, lines } = textSize(text);
  return [
    ...(statements === undefined
      ? []
      : statements === 1
        ? say('1 statement,')
        : say('%@ statements,', String(statements))),
    ...(characters === 1 ? say('1 character,') : say('%@ characters,', String(characters))),
    ...(lines === 1 ? say('1 line') : say('%@ lines', String(lines))),
  ];
}
