/**
 * The privilege increase in a minted or paired token (spec §5, §10, §11): for whom, what it may do
 * where, and for how long.
 */

import type { ConnectionRegister } from '../../access/connection-register.ts';
import { levelNow } from '../../access/effective-access.ts';
import { loopbackPort, schemeOf } from '../../access/pairing/redirect.ts';
import {
  fact,
  type IncreaseFact,
  instantWords,
  linesFact,
  type PrivilegeIncrease,
  quoted,
} from '../../access/privilege-increases/increase-words.ts';
import { nameAndPlace } from '../../access/privilege-increases/place-increase.ts';
import { type Allowlist, scopeLabels, scopes } from '../../access/tokens/token.ts';
import { expiryFrom } from '../../access/tokens/token-register.ts';
import type { CommandContext } from '../command.ts';
import { claim } from '../desk/facts.ts';
import type { Message } from '../messages/message.ts';
import type { newBox, newToken, tokenChange } from './grant.ts';

type Grant = Pick<Message<typeof newToken>, 'scope' | 'connections' | 'expires'>;

export function mintIncrease(asked: Message<typeof newToken>, { ports, at }: CommandContext): PrivilegeIncrease | null {
  const { name, confirmInClient } = asked;
  if (!confirmInClient && givesWhatBridgeHas(asked, ports.connections, at)) return null;
  const own = confirmInClient ? '; its client may answer for you' : '';
  return {
    phrase: `makes a ${scopeLabels[asked.scope]} token ${quoted(name)} ${reachWords(asked, ports.connections)}${own}`,
    facts: [
      fact('Token', name),
      ...grantFacts(asked, ports.connections),
      fact('Questions answered by', confirmInClient ? 'its client, for you' : 'you'),
    ],
  };
}

/** A new box with even the least scope is an increase: a program in it had nothing before. */
export function boxIncrease(asked: Message<typeof newBox>, { ports }: CommandContext): PrivilegeIncrease {
  const { name, group, credential } = asked;
  const openers = group === null ? 'you' : `you and the group ${group}`;
  const secret =
    credential === 'token'
      ? ', with a token in its folder'
      : credential === 'socket'
        ? ''
        : ', with a door for psql, ORMs and tests';
  return {
    phrase: `makes a ${scopeLabels[asked.scope]} box ${quoted(name)} ${reachWords(asked, ports.connections)}, for ${openers}${secret}`,
    facts: [
      fact('Name', name),
      ...grantFacts(asked, ports.connections),
      ...(group === null ? [] : [fact('Group', group)]),
    ],
  };
}

/**
 * Days. Every user of the bridge may read as long as they like, but a token can be carried
 * elsewhere.
 */
const longestUnasked = 30;

/**
 * A read-only token for a month, on connections that every client of the bridge may read: it gives
 * nobody anything new.
 */
function givesWhatBridgeHas({ scope, connections, expires }: Grant, known: ConnectionRegister, at: number): boolean {
  if (scope !== 'readOnly' || expires === 'never' || expires > longestUnasked) return false;
  // The bridge reaches all connections too, including blocked and future ones.
  if (connections === 'all') return true;
  return connections.every(idOrName => {
    const connection = known.find(idOrName);
    return connection !== null && levelNow(connection, at) !== 'blocked' && connection.aiPolicy === 'always';
  });
}

/** Everything that exceeds the former access; keeping or reducing access needs no confirmation. */
export function editIncrease(asked: Message<typeof tokenChange>, { ports }: CommandContext): PrivilegeIncrease | null {
  const record = ports.tokens.find(asked.id);
  if (record === null) return null;
  const { scope, connections, expires } = asked;
  const words: string[] = [];
  const facts: IncreaseFact[] = [];
  if (scope !== undefined && scopes.indexOf(scope) > scopes.indexOf(record.scope)) {
    words.push(scopeLabels[scope]);
    facts.push(fact('May do', scopeLabels[scope], scopeLabels[record.scope]));
  }
  if (connections !== undefined && reachesMore(connections, record.connections, ports.connections)) {
    words.push(whereWords(connections, ports.connections));
    facts.push(reachesFact(connections, ports.connections));
  }
  if (expires !== undefined && isLater(expiryFrom(ports.now(), expires), record.expiresAt)) {
    words.push(expires === 'never' ? 'a life without an end' : `${expires} more day${expires === 1 ? '' : 's'}`);
    facts.push(
      fact(
        'Expires',
        expires === 'never' ? 'never' : expiryWords(expires),
        record.expiresAt && instantWords(record.expiresAt),
      ),
    );
  }
  if (facts.length === 0) return null;
  const phrase = `gives the token ${quoted(record.name)} ${words.join(', ')}`;
  return { phrase, facts: [fact('Token', record.name), ...facts] };
}

function reachesMore(asked: Grant['connections'], former: Allowlist, known: Pick<ConnectionRegister, 'find'>): boolean {
  if (former === 'all') return false;
  // The command itself refuses an unknown name; until then it counts as one more.
  return asked === 'all' || asked.some(idOrName => !former.includes(known.find(idOrName)?.id ?? ''));
}

/** @param until ISO 8601, as `former`; null for never. */
function isLater(until: string | null, former: string | null): boolean {
  return former !== null && (until === null || until > former);
}

export function pairingIncrease(id: string, asked: Grant, { ports, at }: CommandContext): PrivilegeIncrease | null {
  const isOff = ports.status().state === 'off';
  if (!isOff && givesWhatBridgeHas(asked, ports.connections, at)) return null;
  const token = `a ${scopeLabels[asked.scope]} token ${reachWords(asked, ports.connections)}`;
  const request = ports.pairings.find(id)?.facts;
  // The command will refuse it. If the request opens meanwhile, the increase is another one.
  if (request === undefined) return { phrase: `gives a client ${token}`, facts: grantFacts(asked, ports.connections) };
  const starts = isOff ? ', and starts the server, which is switched off' : '';
  return {
    phrase: `gives ${quoted(request.client)} ${token}, by a code for ${receiverOf(request.redirect)}${starts}`,
    facts: [
      claim('Calls itself', request.client),
      ...grantFacts(asked, ports.connections),
      fact('Code goes to', request.redirect),
    ],
  };
}

const everyConnection = 'every connection, those saved later too';

/** `that reaches "Shop" and expires after 30 days` */
function reachWords({ connections, expires }: Grant, known: Pick<ConnectionRegister, 'find'>): string {
  return `that reaches ${whereWords(connections, known)}, and ${expires === 'never' ? 'never expires' : `expires ${expiryWords(expires)}`}`;
}

function whereWords(connections: Grant['connections'], known: Pick<ConnectionRegister, 'find'>): string {
  if (connections === 'all') return everyConnection;
  const names = namesOf(connections, known).map(quoted);
  if (names.length === 0) return 'no connection';
  return names.length <= 3 ? names.join(' and ') : `${names.length} connections`;
}

function grantFacts({ scope, connections, expires }: Grant, known: Pick<ConnectionRegister, 'find'>): IncreaseFact[] {
  return [
    fact('May do', scopeLabels[scope]),
    reachesFact(connections, known),
    fact('Expires', expires === 'never' ? 'never' : expiryWords(expires)),
  ];
}

function expiryWords(days: number): string {
  return `after ${days} day${days === 1 ? '' : 's'}`;
}

function reachesFact(asked: Grant['connections'], known: Pick<ConnectionRegister, 'find'>): IncreaseFact {
  if (asked === 'all') return fact('Reaches', everyConnection);
  // By id: two requested names may be one connection. An unknown name could hold a line feed and
  // look like two.
  const places = new Set(
    asked.map(idOrName => {
      const connection = known.find(idOrName);
      return connection === null ? idOrName.replaceAll('\n', ' ') : nameAndPlace(connection);
    }),
  );
  if (places.size === 0) return fact('Reaches', 'no connection');
  return linesFact(`Reaches (${places.size})`, [...places].join('\n'));
}

/**
 * Each once, by its present name. An unknown name stands as it was asked; the command refuses it.
 */
function namesOf(asked: readonly string[], known: Pick<ConnectionRegister, 'find'>): string[] {
  return [...new Set(asked.map(idOrName => known.find(idOrName)?.name ?? idOrName))];
}

function receiverOf(redirect: string): string {
  const port = loopbackPort(redirect);
  if (port !== null) return `the program that listens on port ${port} of this computer`;
  return `the app that opens ${quoted(`${schemeOf(redirect) ?? ''}:`)} addresses`;
}
