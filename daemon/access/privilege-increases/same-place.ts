/**
 * Saving a place a second time, where clients may use less of it already, as a privilege increase
 * (spec §11): else whoever wants a blocked database opened saves it under another name, or removes
 * it and saves it anew. Compares texts and file identities; no name is resolved.
 */

import type { TunnelView } from '../../../shared/control-commands.ts';
import { connectionsOf } from '../../../shared/engine.ts';
import { hostsIn } from '../../../shared/server-hosts.ts';
import { sshHopIn } from '../../../shared/ssh-hop.ts';
import type { Connection } from '../connection.ts';
import { lendsMore, levelFact, policyWords } from './client-use.ts';
import { nameAndPlace } from './place.ts';
import { fact, type PrivilegeIncrease, quoted } from './words.ts';

export interface FileIdentity {
  /** As far as links can be followed. */
  readonly realPath: string;
  /** The same for all hard links; null where there is no file. */
  readonly inode: string | null;
}

export interface OtherConnection {
  readonly connection: Connection;
  readonly isRemoved: boolean;
  /**
   * Removed, and not at once after it was made: whoever brings its place back undoes what the
   * person did.
   */
  readonly wasTakenAway: boolean;
}

export interface SamePlacePorts {
  readonly others: readonly OtherConnection[];
  readonly fileIdentity: (path: string) => FileIdentity;
}

/**
 * @param former null for a new connection.
 * @returns null where `next` stays in its place, or no other connection to that place lends clients
 * less.
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
      (wasTakenAway || lendsMore(next, connection, nowMilliseconds)) &&
      isSamePlace(next, connection, fileIdentity),
  );
  if (first === undefined) return null;
  const { connection, isRemoved } = first;
  const besides = more.length === 0 ? '' : ` and ${more.length} other${more.length === 1 ? '' : 's'}`;
  const may = `${levelFact(connection, nowMilliseconds)}; AI policy ${policyWords[connection.aiPolicy]}`;
  return {
    phrase: `gives clients more access to the place of ${quoted(connection.name)}${isRemoved ? ', which was removed' : ''}${besides}`,
    facts: [fact('Same place', nameAndPlace(connection)), fact('Clients may there', may)],
  };
}

type Place = Pick<Connection, 'engine' | 'host' | 'port' | 'socketPath' | 'filePath' | 'tunnel'>;

/** Database and user are no part of it: one server shows its databases to whoever may sign in. */
export function isSamePlace(a: Place, b: Place, fileIdentity: SamePlacePorts['fileIdentity']): boolean {
  if (a.engine !== b.engine) return false;
  if (a.filePath !== null && b.filePath !== null) {
    const [one, other] = [fileIdentity(a.filePath), fileIdentity(b.filePath)];
    return one.realPath === other.realPath || (one.inode !== null && one.inode === other.inode);
  }
  const servers = serversOf(b);
  return serversOf(a).some(one => servers.some(other => isSameServer(one, other)));
}

interface Server {
  readonly host: string;
  /** Null for a socket: which port its server has besides does not show. */
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
 * Where a tunnel ends, a server is asked for by a name of that computer's own; by any other it is
 * the one that it is from here.
 */
function endOf(tunnel: TunnelView): string {
  if (tunnel.kind === 'command') return thisComputer;
  return plainHost(sshHopIn(tunnel.destination)?.host ?? tunnel.destination);
}

function hostFrom(here: string, host: string): string {
  const plain = plainHost(host);
  return plain === thisComputer ? here : plain;
}

/** What systems call this computer. */
const names = [
  'localhost4',
  'localhost6',
  'ip6-localhost',
  'ip6-loopback',
  'localhost.localdomain',
  'localhost6.localdomain6',
];
/** Whoever dials one of these reaches this computer. */
const addresses = /^(?:127\.\d+\.\d+\.\d+|0\.0\.0\.0|::1|::)$/;

function plainHost(host: string): string {
  const plain = inOneWriting(host.toLowerCase()).replace(/\.$/, '');
  const isHere = names.includes(plain) || plain.endsWith(`.${thisComputer}`) || addresses.test(plain);
  return isHere ? thisComputer : plain;
}

/**
 * An address has many: `127.1`, `0x7f000001` and `::ffff:127.0.0.1` are the same to the system's
 * resolver.
 */
function inOneWriting(withZone: string): string {
  const [host = ''] = withZone.split('%');
  const address = addressIn(host.includes(':') ? `[${host}]` : host) ?? host;
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(address) ?? [];
  if (high === undefined || low === undefined) return address;
  return [high, low].flatMap(part => [Number.parseInt(part, 16) >> 8, Number.parseInt(part, 16) & 255]).join('.');
}

/**
 * As the standard of URLs writes it; null for what can stand in none, such as an address with a
 * zone.
 */
function addressIn(host: string): string | null {
  try {
    return new URL(`http://${host}/`).hostname.replace(/^\[|\]$/g, '');
  } catch {
    return null;
  }
}
