/**
 * What waits, as a shell draws it (spec §12): each ask's record becomes one card, with the answers
 * that can be given now. Text from elsewhere stays unchanged; the shell escapes it.
 */

import { textSize } from '../../../shared/text-size.ts';
import { bridgeTokenName } from '../../../shared/words.ts';
import { timesOf } from '../../access/desk/ask.ts';
import { levelNow } from '../../access/effective-access.ts';
import type { OpenPairing } from '../../access/pairing/pairing.ts';
import { hearsOfNo, loopbackPort } from '../../access/pairing/redirect.ts';
import type { AskedIncrease } from '../../access/privilege-increases/confirmations.ts';
import type { Question, QuestionFacts } from '../../access/questions/approvals.ts';
import type { AccessRequest, RequestFacts } from '../../access/requests/access-requests.ts';
import type { AskView, DeskAnswer } from '../messages/ask.ts';
import type { CommandPorts } from '../ports.ts';
import { claim, factsOf, pairingFacts, titleOf } from './facts.ts';

/** What a card has unless its kind says otherwise. */
const plain = {
  waits: true,
  token: null,
  connection: null,
  lacks: null,
  runsBy: null,
  means: null,
  statement: null,
  sentence: null,
  pairing: null,
  answers: ['yes', 'no'],
  times: 1,
} as const;

/** The card of what an AI client asks. */
export interface ClientAsk extends AskView {
  readonly connection: NonNullable<AskView['connection']>;
}

export function isOfClient(ask: AskView): ask is ClientAsk {
  return ask.connection !== null;
}

export function questionView({ id, facts, ...times }: Question): ClientAsk {
  const { kind, client, tokenName, isBox, connection, means, statement } = facts;
  const shown = statement && shownStatement(statement);
  const asked = {
    ...plain,
    kind,
    client,
    token: tokenName === bridgeTokenName ? null : tokenName,
    connection,
    means: statement === null ? means : null,
  };
  return {
    ...asked,
    id,
    title: titleOf(kind, shown),
    runsBy: statement === null ? null : 'client',
    facts: factsOf({ ...asked, isBox, program: null, statement }),
    statement: shown,
    ...timesOf(times),
  };
}

export function requestView({ id, times, facts, ...ask }: AccessRequest): ClientAsk {
  const { client, program, principal, connection, lacks, runsBy, means, statement, classified } = facts;
  const asked = {
    ...plain,
    kind: statement !== null ? 'statement' : lacks === 'host_key' ? 'host_key' : 'first_use',
    waits: false,
    client,
    token: principal.isBridge ? null : principal.tokenName,
    connection,
    lacks,
    means,
  } as const;
  const shown = requestedStatement(facts);
  const whole = statement && classified && { ...classified, ...statement, statements: statement.steps?.length };
  return {
    ...asked,
    id,
    title: titleOf(asked.kind, shown),
    runsBy: statement === null ? null : runsBy,
    facts: factsOf({ ...asked, isBox: principal.isBox, program, statement: whole }),
    statement: shown,
    answers: answersTo(facts),
    times,
    ...timesOf(ask),
  };
}

/**
 * The answers to a request. One that nobody has opened can only be refused. If its client may not
 * run it whatever the answer, only the person can.
 */
function answersTo({ statement, shown, runsBy }: RequestFacts): readonly DeskAnswer[] {
  if (statement === null) return ['yes', 'no'];
  if (shown === null) return ['no'];
  return runsBy === 'owner' ? ['run', 'no'] : ['yes', 'run', 'no'];
}

function shownStatement({ text, class: statementClass, takes }: NonNullable<QuestionFacts['statement']>) {
  const shown = { text, class: statementClass, ...textSize(text), ...(takes !== undefined && { takes }) };
  return { ...shown, parameters: [], schema: null, database: null };
}

function requestedStatement({ statement, classified, shown }: RequestFacts): AskView['statement'] {
  if (statement === null || classified === null) return null;
  const { text, parameters, schema, database, steps } = statement;
  return {
    ...shownStatement({ ...classified, text, ...(shown !== null && { takes: shown.words }) }),
    ...(steps !== undefined && { statements: steps.length }),
    parameters: parameters.map(value => JSON.stringify(value)),
    schema,
    database,
  };
}

export function increaseView({ id, facts: { sentence, facts, shell }, ...times }: AskedIncrease): AskView {
  const shown = { client: shell, sentence, facts: [...facts, claim('Asked by', shell)] };
  return { id, kind: 'increase', title: titleOf('increase'), ...plain, ...shown, ...timesOf(times) };
}

type PairingPorts = Pick<CommandPorts, 'connections' | 'portHolder' | 'status' | 'now'>;

/** @param hasTurn true if the pairing's sheet may be drawn now. */
export function pairingView(pairing: OpenPairing, hasTurn: boolean, ports: PairingPorts): AskView {
  const { id, facts: request } = pairing;
  const known = ports.connections.list();
  const port = loopbackPort(request.redirect);
  const redirect = {
    address: request.redirect,
    receiver: port === null ? request.handler : ports.portHolder(port),
    kind: port !== null ? 'loopback' : hearsOfNo(request.redirect) ? 'app' : 'anybodys',
  } as const;
  return {
    id,
    kind: 'pairing',
    title: titleOf('pairing'),
    ...plain,
    client: request.client,
    facts: pairingFacts(request.client, redirect),
    pairing: {
      redirect,
      scope: request.scope,
      // Unknown connections are left out. If the link names none, the person chooses.
      ticked: (request.connectionIds ?? []).filter(wanted => known.some(connection => connection.id === wanted)),
      connections: known.map(connection => ({
        id: connection.id,
        name: connection.name,
        engine: connection.engine,
        externalClients: connection.aiPolicy === 'never' ? 'blocked' : levelNow(connection, ports.now()),
      })),
      expires: 30,
      hasTurn,
      serverStarted: ports.status().state === 'off',
    },
    ...timesOf(pairing),
  };
}
