/**
 * The door for programs that speak PostgreSQL's protocol: who may come in (the box whose socket it
 * is), to which database, and how many. What they then say is in `program.ts`.
 */

import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Socket } from 'node:net';
import type { Connection } from '../../access/connection.ts';
import type { ConnectionRegister } from '../../access/connection-register.ts';
import type { Admission } from '../../access/limits/admission.ts';
import { type ResolvedConnection, visibleConnections } from '../../access/resolve-connection.ts';
import type { Principal } from '../../access/tokens/token.ts';
import type { TokenRegister } from '../../access/tokens/token-register.ts';
import { cleanClientName } from '../mcp/client-name.ts';
import { errorResponse, MessageReader, type SqlError } from './messages.ts';
import { type ProgramPorts, serveProgram } from './program.ts';
import { readStartUp, type StartUp } from './start-up.ts';
import { wireLimits } from './wire-limits.ts';

export interface WirePorts extends Omit<ProgramPorts, 'isAllowed' | 'count'> {
  readonly tokens: Pick<TokenRegister, 'verifyBox' | 'onEnded'>;
  readonly connections: ConnectionRegister;
  readonly uses: Admission['uses'];
  readonly clients: Admission['clients'];
  readonly isPaused: () => boolean;
  readonly isServed: () => boolean;
  /** Whether a connection that asks first was approved for this principal. */
  readonly mayUse: (principal: Principal, connectionId: string) => boolean;
}

export interface WireDoor {
  /** @param connection just accepted at a socket of this box. */
  serve(connection: Socket, boxId: string): void;
  close(): void;
}

/** A program that has said where it wants to go. */
type Session = Extract<StartUp, { kind: 'session' }>;

interface Running {
  readonly boxId: string;
  readonly key: Buffer;
  readonly cancel: () => void;
}

export function openWireDoor(ports: WirePorts): WireDoor {
  const open = new Map<Socket, string>();
  const running = new Set<Running>();
  /** Statements of a door in the present minute. */
  const counted = new Map<string, { since: number; statements: number }>();
  const endOf = ports.tokens.onEnded(id => {
    for (const [connection, boxId] of open) if (boxId === id) connection.destroy();
  });

  const atOnce = (boxId: string): number => [...open.values()].filter(id => id === boxId).length;

  function count(boxId: string): SqlError | null {
    const now = ports.elapsed();
    const known = counted.get(boxId);
    const present = known !== undefined && now - known.since < 60_000 ? known : { since: now, statements: 0 };
    counted.set(boxId, present);
    present.statements += 1;
    if (present.statements <= wireLimits.statementsPerMinute) return null;
    return { code: '53400', message: 'Too many statements within a minute; go on in the next one.' };
  }

  function principalOf(boxId: string): Principal | SqlError {
    const verified = ports.tokens.verifyBox(boxId);
    if (verified.kind !== 'valid')
      return { code: '28000', message: 'This door has ended; its person can open another.' };
    if (!ports.isServed()) return { code: '57P03', message: 'Sallyport is switched off; its person can switch it on.' };
    if (ports.isPaused()) return { code: '57P03', message: 'Sallyport is paused; its person can resume it.' };
    const { id, name, connections } = verified.record;
    return {
      id,
      tokenId: id,
      tokenName: name,
      // Whatever its box may do by other doors.
      scope: 'readOnly',
      connections,
      confirmInClient: false,
      isBridge: false,
      isBox: true,
    };
  }

  async function enter(connection: Socket, boxId: string, session: Session, reader: MessageReader): Promise<void> {
    const refuse = (error: SqlError): void => void connection.end(errorResponse(error, 'FATAL'));
    const principal = principalOf(boxId);
    if ('code' in principal) return refuse(principal);
    if (atOnce(boxId) > wireLimits.clients)
      return refuse({
        code: '53300',
        message: `This door has ${wireLimits.clients} programs connected, the most it may.`,
      });
    const place = placeOf(ports, principal, session);
    if ('code' in place) return refuse(place);
    ports.uses.used(boxId);
    const client = cleanClientName(session.application) ?? 'a program';
    const present = ports.clients.begin(principal);
    present.saw(client, 'PostgreSQL 3.0');
    connection.once('close', present.end);
    const key = randomBytes(8);
    // The first half is a process id, which no program expects to be negative.
    key.writeUInt8(key.readUInt8(0) & 0x7f, 0);
    const entry: Running = { boxId, key, cancel: () => cancelIt() };
    let cancelIt = (): void => {};
    running.add(entry);
    connection.once('close', () => running.delete(entry));
    const programPorts: ProgramPorts = {
      ...ports,
      count: () => count(boxId),
      isAllowed: () => !('code' in principalOf(boxId)),
    };
    cancelIt = await serveProgram(programPorts, { connection, reader, session, principal, client, key, ...place });
  }

  function cancel(boxId: string, key: Buffer): void {
    for (const entry of running) {
      if (entry.boxId === boxId && key.length === entry.key.length && timingSafeEqual(key, entry.key)) entry.cancel();
    }
  }

  return {
    serve(connection, boxId) {
      connection.on('error', () => {});
      if (atOnce(boxId) >= 2 * wireLimits.clients) return void connection.destroy();
      open.set(connection, boxId);
      connection.once('close', () => open.delete(connection));
      const late = setTimeout(() => connection.destroy(), wireLimits.startUpMilliseconds);
      connection.once('close', () => clearTimeout(late));
      const reader = new MessageReader(wireLimits.startUpBytes);
      let asked = 0;
      const read = (chunk: Buffer): void => {
        try {
          reader.add(chunk);
          const packet = reader.nextStartUp();
          if (packet === null) return;
          const said = readStartUp(packet);
          if (said.kind === 'encryption' && ++asked <= 2) {
            // What came with the request was sent before our answer, so it is no start-up packet.
            if (reader.waiting > 0) return void connection.destroy();
            return void connection.write('N');
          }
          connection.off('data', read);
          clearTimeout(late);
          if (said.kind === 'cancel') {
            cancel(boxId, said.key);
            connection.end();
          } else if (said.kind === 'session') {
            const messages = new MessageReader(wireLimits.messageBytes);
            const rest = reader.rest();
            if (rest.length > 0) messages.add(rest);
            enter(connection, boxId, said, messages).catch(error => {
              ports.report(error);
              connection.destroy();
            });
          } else if (said.kind === 'refused') connection.end(errorResponse(said.error, 'FATAL'));
          else connection.destroy();
        } catch {
          connection.destroy();
        }
      };
      connection.on('data', read);
    },
    close() {
      endOf();
      for (const connection of open.keys()) connection.destroy();
    },
  };
}

interface Place {
  readonly resolved: ResolvedConnection;
  /** Null: the connection's own. */
  readonly database: string | null;
}

/**
 * A database is named by its connection or by itself. A door with one connection leads to that, and
 * to its other databases where it reaches them.
 */
function placeOf(ports: WirePorts, principal: Principal, { database, user }: Session): Place | SqlError {
  const speaks = ({ connection }: ResolvedConnection): boolean => ports.databases.of(connection).openWire !== undefined;
  const reached = visibleConnections(ports.connections, principal, ports.now()).filter(speaks);
  const asked = database ?? user;
  const own = ({ database: name, user: role }: Connection): string | null => name ?? role;
  const named = reached.filter(({ connection }) => connection.name === asked || connection.id === asked);
  const same = reached.filter(({ connection }) => own(connection) === asked);
  const [first] = named.length === 1 ? named : same.length === 1 ? same : reached.length === 1 ? reached : [];
  if (first === undefined) {
    const names = reached.map(({ connection }) => JSON.stringify(connection.name)).join(', ');
    const hint = reached.length === 0 ? 'It leads to no PostgreSQL database now.' : `It leads to ${names}.`;
    return { code: '3D000', message: `database ${JSON.stringify(asked)} does not exist behind this door`, hint };
  }
  if (first.access.askFirst && !ports.mayUse(principal, first.connection.id))
    return {
      code: '28000',
      message: 'This connection asks its person first, and a program can’t be asked about here.',
    };
  // Without a name psql sends the user's.
  const isOwn = named.length === 1 || same.length === 1 || database === null || database === user;
  return { resolved: first, database: isOwn ? null : database };
}
