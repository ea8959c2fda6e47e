/**
 * Where a connection leads, as a privilege increase (spec §11): another place, weaker TLS, other
 * certificates. It also gives the facts about the place if something else is the increase.
 */

import { connectionsOf } from '../../../shared/engine.ts';
import { admits, signInMethods } from '../../../shared/sign-in-methods.ts';
import { tunnelText } from '../../../shared/ssh-hop.ts';
import type { Text } from '../../../shared/texts.ts';
import { type Connection, tlsModes } from '../connection.ts';
import { fact, type IncreaseFact, linesFact, type PrivilegeIncrease, quoted, sizeWords } from './increase-words.ts';

/**
 * The privilege increases in a change of a connection's place.
 * @param name the connection's, in quotes.
 * @returns one for each part of the place; null for a part that is none.
 */
export function placeParts(former: Connection, next: Connection, name: string): (PrivilegeIncrease | null)[] {
  return [
    movedPart(former, next, name),
    tlsPart(former, next, name),
    caPart(former, next, name),
    clientCertificatePart(former, next, name),
    identityPart(former, next, name),
    wallsPart(former, next, name),
    signInPart(former, next, name),
  ];
}

/**
 * Another place. A password must not travel there, and access was granted for the former place. So
 * a connection without a password counts, too: a file or a peer-authenticated socket needs none.
 */
function movedPart(former: Connection, next: Connection, name: string): PrivilegeIncrease | null {
  // credentials-increase.ts looks at a command as a whole.
  const compared = placeFields.filter(field => field !== 'tunnel' || next.tunnel?.kind !== 'command');
  const moved = compared.filter(field => valueIn(former, field) !== valueIn(next, field));
  if (moved.length === 0) return null;
  const changes = moved.map(field => {
    const [word, to, from] = [placeWords[field], valueIn(next, field), valueIn(former, field)];
    if (to === null) return `to no ${word}, which was ${quoted(String(from))}`;
    return `to the ${word} ${quoted(String(to))}${from === null ? '' : ` instead of ${quoted(String(from))}`}`;
  });
  return {
    phrase: `points ${name} ${changes.join(' and ')}`,
    facts: moved.map(field => fact(placeLabels[field], placeValue(next, field), placeValue(former, field))),
  };
}

const placeFields = ['host', 'port', 'socketPath', 'filePath', 'database', 'user', 'targetServers', 'tunnel'] as const;
type PlaceField = (typeof placeFields)[number];

const placeWords: Readonly<Record<PlaceField, string>> = {
  host: 'host',
  port: 'port',
  socketPath: 'socket',
  filePath: 'file',
  database: 'database',
  user: 'user',
  targetServers: 'kind of server',
  tunnel: 'tunnel',
};
const placeLabels: Readonly<Record<PlaceField, Text>> = {
  host: 'Host',
  port: 'Port',
  socketPath: 'Socket',
  filePath: 'File',
  database: 'Database',
  user: 'User',
  targetServers: 'Which servers',
  tunnel: 'Tunnel',
};

function valueIn({ tunnel, ...connection }: Connection, field: PlaceField): string | number | null {
  if (field === 'tunnel' && tunnel?.kind === 'command') return 'what its command opens';
  if (field === 'tunnel') return tunnel === undefined ? null : tunnelText(tunnel);
  return connection[field] ?? null;
}

function placeValue(connection: Connection, field: PlaceField): string {
  return String(valueIn(connection, field) ?? '(none)');
}

function tlsPart({ tls: from }: Connection, { tls: to }: Connection, name: string): PrivilegeIncrease | null {
  if (tlsModes.indexOf(to.mode) >= tlsModes.indexOf(from.mode)) return null;
  return {
    phrase: `weakens the TLS of ${name} from ${from.mode} to ${to.mode}`,
    facts: [fact('TLS', to.mode, from.mode)],
  };
}

function caPart({ tls: from }: Connection, { tls: to }: Connection, name: string): PrivilegeIncrease | null {
  if (from.caFile === to.caFile) return null;
  const whose = to.caFile === null ? 'those this computer trusts' : `those of ${quoted(to.caFile)}`;
  return {
    phrase: `lets other certificates vouch for ${name}: ${whose}`,
    facts: [fact('Certificates', authorityText(to), authorityText(from))],
  };
}

/** A CA file with the digest of what it holds; later dials are held to that. */
export function authorityText({ caFile, caFileDigest }: Connection['tls']): string {
  if (caFile === null) return computersOwn;
  if (caFileDigest === undefined) return caFile;
  if (caFileDigest === null) return `${caFile}, which can't be read`;
  return `${caFile}, SHA-256 ${Buffer.from(caFileDigest, 'base64').toString('hex')}`;
}

/** Another client certificate, which identifies us to the server as a user's name does. */
function clientCertificatePart(
  { tls: from }: Connection,
  { tls: to }: Connection,
  name: string,
): PrivilegeIncrease | null {
  const [former, next] = [filesOf(from), filesOf(to)];
  if (former === next) return null;
  return {
    phrase: `shows another client certificate to the server of ${name}`,
    facts: [fact('Client certificate', next, former)],
  };
}

/** Any server is let in: whoever answers may get the password, also one that is saved later. */
function identityPart(former: Connection, next: Connection, name: string): PrivilegeIncrease | null {
  if (next.identity !== 'any' || former.identity === 'any') return null;
  return {
    phrase: `signs ${name} in to any server at its address, whatever was there before`,
    facts: [fact('Servers', anyServer, 'the one that was there before')],
  };
}

const anyServer = 'any at this address';

/** One wall is enough for a read: what the guard takes for a read by mistake may then write. */
function wallsPart(former: Connection, next: Connection, name: string): PrivilegeIncrease | null {
  if (next.walls !== 'one' || former.walls === 'one') return null;
  return {
    phrase: `lets clients read from ${name} where the server doesn't refuse writes`,
    facts: [fact('Reads', heldByOne, 'held by two walls')],
  };
}

const heldByOne = 'held by one wall where the server is none';

/** Told if there are more ways to sign in: by some of them the server proves less of itself. */
function signInPart(former: Connection, next: Connection, name: string): PrivilegeIncrease | null {
  const added = (next.signInMethods ?? signInMethods).filter(method => !admits(former.signInMethods, method));
  if (added.length === 0) return null;
  return {
    phrase: `signs ${name} in by other methods too: ${added.join(', ')}`,
    facts: [fact('Sign-in', methodsText(next), methodsText(former))],
  };
}

const methodsText = ({ signInMethods: methods }: Connection): string => methods?.join(', ') ?? 'by any method';

function filesOf({ clientCertificate }: Connection['tls']): string {
  return clientCertificate === undefined
    ? '(none)'
    : `${clientCertificate.certificateFile}, key ${clientCertificate.keyFile}`;
}

const computersOwn = '(those this computer trusts)';

/**
 * Where a connection leads, and what holds its reads, if that is one wall. Its name alone says too
 * little: after a connection is removed, another can get the name.
 */
export function whereItIs(connection: Connection): IncreaseFact[] {
  const place = placeFields
    .filter(field => valueIn(connection, field) !== null)
    .map(field => fact(placeLabels[field], placeValue(connection, field)));
  const reads = connection.walls === 'one' ? [fact('Reads', heldByOne)] : [];
  return [...place, ...sshFacts(connection), ...reads];
}

/** What ~/.ssh/config says of the tunnel: a dial follows it, and starts programs that it names. */
function sshFacts({ sshLines }: Connection): IncreaseFact[] {
  if (sshLines === undefined) return [];
  if (sshLines.length === 0) return [fact(sshLabel, 'says nothing of this tunnel')];
  const text = sshLines.join('\n');
  return [fact(`${sshLabel} length`, sizeWords(text)), linesFact(sshLabel, text)];
}

const sshLabel = '~/.ssh/config';

/** A connection's name and place in one line: `"Shop" at host "db.example", port 5432, …`. */
export function nameAndPlace(connection: Connection): string {
  const words = placeFields.flatMap(field => {
    const value = valueIn(connection, field);
    return value === null ? [] : `${placeWords[field]} ${typeof value === 'number' ? value : quoted(value)}`;
  });
  return `${quoted(connection.name)} at ${words.join(', ')}`.replaceAll('\n', ' ');
}

/** What is not changed by an increase: the connection's place, and where its password goes. */
export function placeFacts(former: Connection | null, next: Connection, passwordIsGiven: boolean): IncreaseFact[] {
  const place = whereItIs(next);
  const tls = connectionsOf[next.engine].isFile ? [] : [fact('TLS', next.tls.mode, changedMode(former, next))];
  const servers = next.identity === 'any' ? [fact('Servers', anyServer)] : [];
  return [...place, ...tls, ...servers, ...passwordFact(former, next, passwordIsGiven)];
}

function changedMode(former: Connection | null, next: Connection): string | null {
  return former === null || former.tls.mode === next.tls.mode ? null : former.tls.mode;
}

function passwordFact(former: Connection | null, { password }: Connection, isGiven: boolean): IncreaseFact[] {
  if (password.kind === 'none') return [];
  if (password.kind === 'command') return [fact('Password', 'what its command prints, which is sent there')];
  const isNew = former === null || isGiven;
  return [fact('Password', isNew ? 'the one that is given with this' : 'the one that is stored, which is sent there')];
}
