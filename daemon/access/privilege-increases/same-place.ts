/**
 * Saving a place a second time while another connection to it allows clients less, as a privilege
 * increase (spec §11). Otherwise a blocked database could be opened by saving it under another
 * name, or by removing it and saving it again. Compares texts and file identities; resolves no
 * names.
 */

import type { TunnelView } from '../../../shared/control-commands.ts';
import { connectionsOf } from '../../../shared/engine.ts';
import { hostsIn } from '../../../shared/server-hosts.ts';
import { sshHopIn } from '../../../shared/ssh-hop.ts';
import { unmaskings } from '../../guard/masks.ts';
import { isWholeSight, sightWords, wholeSight, widenings } from '../../guard/sight.ts';
import type { Connection } from '../connection.ts';
import { lendsMore, levelFact, policyWords } from './client-use.ts';
import { fact, type PrivilegeIncrease, quoted } from './increase-words.ts';
import { nameAndPlace } from './place-increase.ts';

export interface FileIdentity {
  /** With links followed as far as possible. */
  readonly realPath: string;
  /** The same for all hard links; null if there is no file. */
  readonly inode: string | null;
  /** Nobody has seen it yet: as far as is known it is any file. */
  readonly isUnseen?: true;
}

export interface OtherConnection {
  readonly connection: Connection;
  readonly isRemoved: boolean;
  /** Removed by a person (not right after it was made): bringing its place back undoes that. */
  readonly wasTakenAway: boolean;
}

export interface SamePlacePorts {
  readonly others: readonly OtherConnection[];
  readonly fileIdentity: (path: string) => FileIdentity;
}

/**
 * @param former null for a new connection.
 * @returns null if `next` stays in its place, or no other connection to that place allows clients
 *   less.
 */
export function samePlacePart(
  former: Connection | null,
  next: Connection,
  nowMilliseconds: number,
  { others, fileIdentity }: SamePlacePorts,
): PrivilegeIncrease | null {
  if (former !== null && isSamePlace(former, next, fileIdentity)) return null;
  const [first, ...more] = others.filter(
    ({ connection, wasTakenAway }) =>
      connection.id !== next.id &&
      (wasTakenAway || lendsMore(next, connection, nowMilliseconds) || seesMore(next, connection)) &&
      (isSamePlace(next, connection, fileIdentity) || mayBeSameFile(next, connection, fileIdentity)),
  );
  if (first === undefined) return null;
  const { connection, isRemoved } = first;
  const isSure = isSamePlace(next, connection, fileIdentity);
  const besides = more.length === 0 ? '' : ` and ${more.length} other${more.length === 1 ? '' : 's'}`;
  const may = `${levelFact(connection, nowMilliseconds)}; AI policy ${policyWords[connection.aiPolicy]}`;
  return {
    phrase: `${isSure ? 'gives' : 'may give'} clients more access to the place of ${quoted(connection.name)}${isRemoved ? ', which was removed' : ''}${besides}${isSure ? '' : ', as a file has not answered'}`,
    facts: [
      fact('Same place', nameAndPlace(connection)),
      fact('Clients may there', may),
      ...(connection.sight === undefined ? [] : [fact('Tables in sight there', sightWords(connection.sight))]),
      ...(connection.masks === undefined ? [] : [fact('Masked columns there', connection.masks.join(', '))]),
    ],
  };
}

/** True if `next` shows a table or column that `other`, at the same place, hides. */
function seesMore(next: Connection, other: Connection): boolean {
  const [seen, there] = [next.sight ?? wholeSight, other.sight ?? wholeSight];
  if (unmaskings(other.masks ?? [], next.masks ?? []).length > 0) return true;
  // What is shown counts only where something is hidden or masked.
  return (!isWholeSight(there) || other.masks !== undefined) && widenings(there, seen).length > 0;
}

type Place = Pick<Connection, 'engine' | 'host' | 'port' | 'socketPath' | 'filePath' | 'tunnel'>;

/** Database and user don't count: a server shows its databases to anybody who may sign in. */
export function isSamePlace(a: Place, b: Place, fileIdentity: SamePlacePorts['fileIdentity']): boolean {
  if (a.engine !== b.engine) return false;
  if (a.filePath !== null && b.filePath !== null) {
    const [one, other] = [fileIdentity(a.filePath), fileIdentity(b.filePath)];
    return one.realPath === other.realPath || (one.inode !== null && one.inode === other.inode);
  }
  const servers = serversOf(b);
  return serversOf(a).some(one => servers.some(other => isSameServer(one, other)));
}

function mayBeSameFile(a: Place, b: Place, fileIdentity: SamePlacePorts['fileIdentity']): boolean {
  const paths = [a.filePath, b.filePath];
  return paths.every(path => path !== null) && paths.some(path => fileIdentity(path).isUnseen === true);
}

interface Server {
  readonly host: string;
  /** Null for a socket: its server's port doesn't show. */
  readonly port: number | null;
}

function isSameServer(a: Server, b: Server): boolean {
  return a.host === b.host && (a.port === null || b.port === null || a.port === b.port);
}

const thisComputer = 'localhost';

function serversOf({ engine, host, port, socketPath, tunnel }: Place): readonly Server[] {
  if (socketPath !== null) return [{ host: thisComputer, port: null }];
  const text = host ?? thisComputer;
  const hosts = hostsIn(text) ?? [{ host: text, port: null }];
  const here = tunnel === undefined ? thisComputer : endOf(tunnel);
  return hosts.map(one => ({ host: hostFrom(here, one.host), port: one.port ?? port ?? connectionsOf[engine].port }));
}

/**
 * Beyond a tunnel, that computer's own names mean itself; any other name means the same server as
 * from here.
 */
function endOf(tunnel: TunnelView): string {
  if (tunnel.kind === 'command') return thisComputer;
  return plainHost(sshHopIn(tunnel.destination)?.host ?? tunnel.destination);
}

function hostFrom(here: string, host: string): string {
  const plain = plainHost(host);
  return plain === thisComputer ? here : plain;
}

/** Names that systems use for this computer. */
const names = [
  'localhost4',
  'localhost6',
  'ip6-localhost',
  'ip6-loopback',
  'localhost.localdomain',
  'localhost6.localdomain6',
];
/** Addresses that reach this computer. */
const addresses = /^(?:127\.\d+\.\d+\.\d+|0\.0\.0\.0|::1|::)$/;

function plainHost(host: string): string {
  const plain = inOneWriting(host.toLowerCase()).replace(/\.$/, '');
  const isHere = names.includes(plain) || plain.endsWith(`.${thisComputer}`) || addresses.test(plain);
  return isHere ? thisComputer : plain;
}

/**
 * An address has many spellings: the system's resolver reads `127.1`, `0x7f000001` and
 * `::ffff:127.0.0.1` the same.
 */
function inOneWriting(withZone: string): string {
  const [host = ''] = withZone.split('%');
  const address = addressIn(host.includes(':') ? `[${host}]` : host) ?? host;
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(address) ?? [];
  if (high === undefined || low === undefined) return address;
  return [high, low].flatMap(part => [Number.parseInt(part, 16) >> 8, Number.parseInt(part, 16) & 255]).join('.');
}

/** In the URL standard's spelling; null if a URL can't hold it, such as an address with a zone. */
function addressIn(host: string): string | null {
  try {
    return new URL(`http://${host}/`).hostname.replace(/^\[|\]$/g, '');
  } catch {
    return null;
  }
}
