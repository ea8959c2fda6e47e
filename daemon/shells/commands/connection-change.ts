/**
 * Makes a connection from what a shell asked for and what was saved (spec §6): it fills in defaults
 * and refuses what doesn't fit together. It touches nothing. It sees where a password comes from,
 * never the password.
 */

import { isIP } from 'node:net';
import type { FieldRefused } from '../../../shared/control.ts';
import { connectionsOf } from '../../../shared/engine.ts';
import { hostsIn } from '../../../shared/server-hosts.ts';
import { signInMethods } from '../../../shared/sign-in-methods.ts';
import { tunnelText } from '../../../shared/ssh-hop.ts';
import type { Clause } from '../../../shared/texts.ts';
import type { Connection, Endpoint, PasswordSource, TlsMode } from '../../access/connection.ts';
import { isWholeSight, wholeSight } from '../../guard/sight.ts';
import type { TunnelView } from '../messages/connections.ts';
import type { ConnectionSaveParams } from './connection-fields.ts';

type ConnectionChange =
  | { readonly kind: 'changed'; readonly connection: Connection }
  | { readonly kind: 'refused'; readonly fault: Fault };

/** Why a change is refused. `field` is null if no single field is at fault. */
type Fault = FieldRefused | { readonly field: null; readonly why: string };

/**
 * The connection as it would be saved, or why not.
 * @param former null for a new connection.
 * @param id used for a new connection only.
 */
export function changeConnection(
  former: Connection | null,
  asked: ConnectionSaveParams,
  id: string,
  nowMilliseconds: number,
): ConnectionChange {
  const place = asked.endpoint ?? former;
  const name = (asked.name ?? former?.name)?.normalize('NFC');
  if (name === undefined) return no(fault('name', 'a new connection needs one'));
  if (place === null) return no(fault('endpoint', 'a new connection needs one'));
  if (former !== null && former.engine !== place.engine) {
    const [was, wanted] = [connectionsOf[former.engine].name, connectionsOf[place.engine].name];
    return no({
      field: null,
      why: `${name} is a ${was} connection and can't become a ${wanted} one; add a new connection instead`,
    });
  }
  const problem = placeProblem(place);
  if (problem !== null) return no(problem);
  const has = connectionsOf[place.engine];
  if (asked.create === true && !has.isFile) return no(fault('create', 'only an SQLite file can be created'));

  const port = place.port ?? (place.host === null ? null : has.port);
  const tunnel = chosen(asked.tunnel, former?.tunnel);
  const misled = tunnelProblem(place, tunnel, asked);
  if (misled !== null) return no(misled);
  const tls = tlsOf(former, asked, place, tunnel);
  const password =
    asked.password === undefined ? (former?.password ?? { kind: 'none' as const }) : sourceOf(asked.password);
  const timeZone = chosen(asked.timeZone, former?.timeZone);
  const misfit = has.isFile ? sqliteProblem(tls, password, timeZone) : certificateProblem(tls);
  if (asked.tls?.keyPassphrase !== undefined && tls.clientCertificate === undefined)
    return no(
      fault('tls.keyPassphrase', 'the connection has no client key; name one with --client-cert and --client-key'),
    );
  if (misfit !== null) return no(misfit);

  const { engine, host, socketPath, filePath, database, user } = place;
  const databases = asked.databases ?? former?.databases ?? has.databases;
  const endpoint: Endpoint = {
    engine,
    host,
    port,
    socketPath,
    filePath,
    database,
    databases,
    user,
    ...(has.isLibpqs && targetServersOf(former, asked)),
    ...(has.isLibpqs && signInMethodsOf(former, asked)),
    tls,
    ...(tunnel === null ? {} : { tunnel, ...sshConfigurationOf(former, tunnel) }),
    password,
    ...((asked.identity ?? former?.identity) === 'any' && { identity: 'any' as const }),
    ...((asked.walls ?? former?.walls) === 'one' && { walls: 'one' as const }),
    ...sightOf(former, asked),
    ...masksOf(former, asked),
    timeZone,
  };
  const now = new Date(nowMilliseconds).toISOString();
  const connection: Connection = {
    ...endpoint,
    id: former?.id ?? id,
    name,
    revision: revisionOf(former, endpoint, asked),
    statementTimeoutSeconds: chosen(asked.statementTimeoutSeconds, former?.statementTimeoutSeconds),
    rowLimit: chosen(asked.rowLimit, former?.rowLimit),
    writeRowLimit: chosen(asked.writeRowLimit, former?.writeRowLimit),
    colour: chosen(asked.colour, former?.colour),
    group: chosen(asked.group, former?.group),
    tags: [...new Set(asked.tags ?? former?.tags ?? [])],
    externalClients: externalClientsOf(former, asked, nowMilliseconds),
    aiPolicy: asked.aiPolicy ?? former?.aiPolicy ?? 'always',
    createdAt: former?.createdAt ?? now,
    updatedAt: now,
  };
  return { kind: 'changed', connection };
}

function placeProblem(place: Omit<Endpoint, 'databases' | 'tls' | 'password' | 'timeZone'>): Fault | null {
  if (connectionsOf[place.engine].isFile) {
    if (place.filePath === null) return fault('endpoint.filePath', 'an SQLite connection needs the path of its file');
    const stray = place.host ?? place.port ?? place.socketPath ?? place.user ?? place.database;
    return stray === null ? null : fault('endpoint', 'an SQLite connection has a file and nothing else');
  }
  if (place.filePath !== null) return fault('endpoint.filePath', 'only an SQLite connection has a file');
  if (place.host === null && place.socketPath === null) return fault('endpoint.host', 'a host or a socket is needed');
  return place.host !== null && place.socketPath !== null ? fault('endpoint', 'a host or a socket, not both') : null;
}

function tunnelProblem(
  place: Pick<Endpoint, 'host'>,
  tunnel: TunnelView | null,
  { sshPassphrase, sshPassword }: ConnectionSaveParams,
): Fault | null {
  const field = tunnel?.kind === 'command' ? 'tunnel.command' : 'tunnel';
  if (tunnel !== null && place.host === null) return fault(field, 'it leads to a host; a socket or a file has none');
  if (tunnel?.kind === 'command' && (hostsIn(place.host ?? '')?.length ?? 0) > 1)
    return fault('tunnel.command', 'a command leads to one server, and the connection names several');
  if (sshPassphrase !== undefined && (tunnel?.kind !== 'ssh' || tunnel.keyFile === null))
    return fault('sshPassphrase', 'the connection has no SSH key; name one with --ssh-key');
  return sshPassword === undefined || tunnel?.kind === 'ssh'
    ? null
    : fault('sshPassword', 'the connection has no SSH tunnel');
}

function targetServersOf(
  former: Connection | null,
  { targetServers }: ConnectionSaveParams,
): Pick<Endpoint, 'targetServers'> {
  const wanted = chosen(targetServers, former?.targetServers);
  return wanted === null ? {} : { targetServers: wanted };
}

function signInMethodsOf(
  former: Connection | null,
  { signInMethods: asked }: ConnectionSaveParams,
): Pick<Endpoint, 'signInMethods'> {
  const wanted = chosen(asked, former?.signInMethods);
  return wanted === null ? {} : { signInMethods: signInMethods.filter(method => wanted.includes(method)) };
}

function sightOf(former: Connection | null, asked: ConnectionSaveParams): Pick<Endpoint, 'sight'> {
  const { hide, only, show } = former?.sight ?? wholeSight;
  const sight = { hide: asked.hide ?? hide, only: asked.only ?? only, show: asked.show ?? show };
  // Masks don't look into views and functions that `show` names, so `show` is of use to them, too.
  const isOfUse = !isWholeSight(sight) || (masksOf(former, asked).masks !== undefined && sight.show.length > 0);
  return isOfUse ? { sight } : {};
}

function masksOf(former: Connection | null, asked: ConnectionSaveParams): Pick<Endpoint, 'masks'> {
  const masks = asked.mask ?? former?.masks ?? [];
  return masks.length === 0 ? {} : { masks };
}

function sqliteProblem(tls: Endpoint['tls'], password: PasswordSource, timeZone: string | null): Fault | null {
  if (tls.mode !== 'disable' || tls.caFile !== null || tls.clientCertificate !== undefined)
    return fault('tls', 'an SQLite file has no TLS');
  if (timeZone !== null) return fault('timeZone', 'an SQLite file has no time zone');
  return password.kind === 'none' ? null : fault('password', 'an SQLite file has no password');
}

function certificateProblem({ mode, caFile, clientCertificate }: Endpoint['tls']): Fault | null {
  if (mode === 'disable' && clientCertificate !== undefined)
    return fault(
      'tls.clientCertificate',
      'the mode disable shows none to the server; use --tls verify-full, or require',
    );
  if (caFile === null || mode === 'verify-ca' || mode === 'verify-full') return null;
  return fault('tls.caFile', 'this mode checks no certificate; use verify-ca or verify-full with a CA file');
}

function tlsOf(
  former: Connection | null,
  asked: ConnectionSaveParams,
  place: Pick<Endpoint, 'host' | 'socketPath'>,
  tunnel: TunnelView | null,
): Endpoint['tls'] {
  // A mode chosen for one place doesn't apply to another: `disable` for localhost must not follow
  // to a host.
  const isSameTunnel = textOf(former?.tunnel) === textOf(tunnel);
  const kept = former !== null && former.host === place.host && former.socketPath === place.socketPath && isSameTunnel;
  const mode = asked.tls?.mode ?? (kept ? former.tls.mode : null) ?? defaultTlsMode(place, asked);
  const formerCaFile = mode === 'verify-ca' || mode === 'verify-full' ? (former?.tls.caFile ?? null) : null;
  const certificate = chosen(asked.tls?.clientCertificate, former?.tls.clientCertificate);
  const caFile = asked.tls?.caFile === undefined ? formerCaFile : asked.tls.caFile;
  // Naming the same file again says nothing about what it holds now.
  const isSameFile = caFile !== null && caFile === former?.tls.caFile;
  return {
    mode,
    caFile,
    ...(isSameFile && { caFileDigest: former.tls.caFileDigest }),
    ...(certificate === null ? {} : { clientCertificate: certificate }),
  };
}

/** The digest stays if the same hops are named: that says nothing about ~/.ssh/config now. */
function sshConfigurationOf(former: Connection | null, tunnel: TunnelView): Pick<Endpoint, 'sshConfigurationDigest'> {
  if (former?.sshConfigurationDigest === undefined || textOf(former.tunnel) !== textOf(tunnel)) return {};
  return { sshConfigurationDigest: former.sshConfigurationDigest };
}

function textOf(tunnel: TunnelView | null | undefined): string | null {
  return tunnel == null ? null : tunnelText(tunnel);
}

/**
 * A certificate means TLS, on this machine too. Otherwise a local server may have no TLS, or
 * require it: `prefer` reaches both, and proves neither.
 */
function defaultTlsMode(place: Pick<Endpoint, 'host'>, { tls }: ConnectionSaveParams): TlsMode {
  if (place.host === null) return 'disable';
  const isAsked = tls?.caFile != null || tls?.clientCertificate != null;
  return isAsked || !isAllHere(place.host) ? 'verify-full' : 'prefer';
}

/** True if all servers are on this machine; traffic to any other could be read on the way. */
function isAllHere(hosts: string): boolean {
  return hostsIn(hosts)?.every(({ host }) => isLoopback(host)) ?? false;
}

function isLoopback(host: string): boolean {
  if (isIP(host) === 4) return host.startsWith('127.');
  return /^(localhost|::1|(0+:){7}0*1)$/i.test(host);
}

function sourceOf(password: NonNullable<ConnectionSaveParams['password']>): PasswordSource {
  return password.kind === 'command' ? { kind: 'command', command: password.command } : { kind: password.kind };
}

function externalClientsOf(
  former: Connection | null,
  asked: ConnectionSaveParams,
  nowMilliseconds: number,
): Connection['externalClients'] {
  if (asked.externalClients === undefined) return former?.externalClients ?? { level: 'readOnly', writeUntil: null };
  const { level, forSeconds } = asked.externalClients;
  const writeUntil = forSeconds == null ? null : new Date(nowMilliseconds + forSeconds * 1000).toISOString();
  return { level, writeUntil };
}

function revisionOf(former: Connection | null, endpoint: Endpoint, asked: ConnectionSaveParams): number {
  if (former === null) return 1;
  const same = JSON.stringify(comparableEndpoint(former)) === JSON.stringify(comparableEndpoint(endpoint));
  // An equal record may hide another stored password or passphrase.
  const isSecretGiven =
    asked.password?.kind === 'stored' ||
    [asked.tls?.keyPassphrase, asked.sshPassphrase, asked.sshPassword].some(secret => secret !== undefined);
  return same && !isSecretGiven ? former.revision : former.revision + 1;
}

/** A place and how it is signed in to there, as values in one order, for comparing. */
export function comparableEndpoint(endpoint: Endpoint): unknown[] {
  const { engine, host, port, socketPath, filePath, database, databases, user, tunnel, password, targetServers } =
    endpoint;
  const { tls, timeZone, identity = 'known', walls = 'both', sight = wholeSight, masks = [] } = endpoint;
  const command = password.kind === 'command' ? password.command : null;
  const where = [
    engine,
    host,
    port,
    socketPath,
    filePath,
    database,
    databases,
    user,
    textOf(tunnel),
    targetServers ?? null,
    endpoint.signInMethods ?? null,
  ];
  const { certificateFile, keyFile } = tls.clientCertificate ?? { certificateFile: null, keyFile: null };
  const signsIn = [tls.mode, tls.caFile, certificateFile, keyFile, password.kind, command];
  return [...where, ...signsIn, timeZone, identity, walls, sight.hide, sight.only, sight.show, masks];
}

/** What a field has after a change: undefined keeps the former value, null clears it. */
function chosen<Value>(asked: Value | null | undefined, former: Value | null | undefined): Value | null {
  return asked === undefined ? (former ?? null) : asked;
}

function no(fault: Fault): ConnectionChange {
  return { kind: 'refused', fault };
}

function fault(field: string, why: Clause): Fault {
  return { field, why };
}
