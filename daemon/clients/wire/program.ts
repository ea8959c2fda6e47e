/**
 * One connected program. This dials its session with the server, greets the program, and lets its
 * messages through one after another, within its time. Whichever side ends, the other ends with it.
 */

import { Socket } from 'node:net';
import type { AccessInUse } from '../../access/access-in-use.ts';
import type { ResolvedConnection } from '../../access/resolve-connection.ts';
import type { Principal } from '../../access/tokens/token.ts';
import type { Classifier } from '../../engines/classifier.ts';
import type { CallContext, WireSession } from '../../engines/engine.ts';
import { Answers } from './answers.ts';
import { Conversation } from './conversation.ts';
import { dialInTime } from './dial.ts';
import { gathered } from './gathered.ts';
import { greet } from './greet.ts';
import { errorResponse, MalformedMessage, type MessageReader, type SqlError } from './messages.ts';
import { programRecord, type WireRecordPorts } from './record.ts';
import { failureError, notRead } from './refusals.ts';
import type { StartUp } from './start-up.ts';
import { wireLimits } from './wire-limits.ts';

export interface ProgramPorts extends WireRecordPorts {
  readonly classifier: Classifier;
  readonly accessInUse: AccessInUse;
  /** Counts a statement. @returns why there are too many, or null. */
  readonly count: () => SqlError | null;
  /** False once the door is closed to the program. */
  readonly isAllowed: () => boolean;
  readonly report: (error: unknown) => void;
}

interface Program {
  readonly connection: Socket;
  readonly reader: MessageReader;
  readonly session: Extract<StartUp, { kind: 'session' }>;
  readonly principal: Principal;
  /** The program's own name for itself. */
  readonly client: string;
  /** The eight bytes by which it may cancel. */
  readonly key: Buffer;
  readonly resolved: ResolvedConnection;
  readonly database: string | null;
}

/** Serves a program that has signed in. @returns a function that cancels its present statement. */
export async function serveProgram(ports: ProgramPorts, program: Program): Promise<() => void> {
  const { connection, principal, client, resolved, database } = program;
  const leaving = new AbortController();
  connection.once('close', () => leaving.abort(new Error('the program left')));
  const access = ports.accessInUse.begin(principal, 'readOnly', leaving.signal);
  access.markUsed(resolved);
  connection.once('close', access.end);
  const { maxSeconds } = ports.limits();
  const ownSeconds = resolved.connection.statementTimeoutSeconds;
  const context: CallContext = {
    principal: principal.id,
    client,
    database,
    schema: null,
    timeoutSeconds: Math.min(ownSeconds ?? maxSeconds, maxSeconds),
    signal: access.signal,
  };
  const end = (error: SqlError): void => {
    if (!connection.destroyed) connection.end(errorResponse(error, 'FATAL'));
    setTimeout(() => connection.destroy(), wireLimits.lookMilliseconds).unref();
  };
  // What it sends is read meanwhile, or nobody would see that it leaves.
  const early = (chunk: Buffer): void => {
    program.reader.add(chunk);
    if (program.reader.waiting > wireLimits.aheadBytes) connection.pause();
  };
  connection.on('data', early);
  const dialled = await dialInTime(ports, resolved, context);
  connection.off('data', early);
  const { id, revision } = resolved.connection;
  // With a new revision the connection may lead elsewhere, or hide more tables. This session knows
  // only what held when it began.
  const isAsBegun = (): boolean => access.connectionNow(id)?.revision === revision;
  if (dialled.kind === 'done') return converse({ ...ports, isAsBegun }, program, context, dialled.value, end);
  end(failureError(dialled, resolved.connection));
  return () => {};
}

const changed: SqlError = { code: '57P01', message: 'The connection was changed; connect again.' };
const closed: SqlError = { code: '57P01', message: 'This door was closed: paused, revoked or expired.' };

function converse(
  ports: ProgramPorts & { readonly isAsBegun: () => boolean },
  program: Program,
  context: CallContext,
  server: WireSession,
  end: (error: SqlError) => void,
): () => void {
  const { connection, reader } = program;
  const { line } = server;
  let conversation: Conversation | null = null;
  let isBusy = false;
  let isEnding = false;
  /** Null while nothing is being cancelled. */
  let cancelledAt: number | null = null;
  let quietSince = performance.now();

  const stop = (error: SqlError): void => {
    if (isEnding) return;
    isEnding = true;
    answers.flush();
    end(error);
    line.destroy();
  };
  const answers = new Answers(line, connection, {
    failed: () => conversation?.failed(),
    ready: status => (conversation === null ? greeted?.(status) : conversation.ready(status)),
    broken: stop,
  });
  let greeted: ((status: string) => void) | null = null;
  const leave = (): void => {
    clearInterval(looking);
    answers.end();
    line.destroy();
  };
  line.on('error', () => {});
  if (line instanceof Socket) line.setNoDelay(true);
  line.once('close', () => {
    answers.end();
    answers.flush();
    if (!isEnding) connection.end(errorResponse({ code: '57P01', message: 'The server ended the session.' }, 'FATAL'));
    setTimeout(() => connection.destroy(), wireLimits.lookMilliseconds).unref();
  });
  connection.once('close', leave);
  connection.once('end', leave);

  const looking = setInterval(() => {
    if (!ports.isAllowed()) return stop(closed);
    if (context.signal.aborted)
      return stop({ code: '57P01', message: 'The access to this connection was taken away.' });
    if (!ports.isAsBegun()) return stop(changed);
    const now = performance.now();
    if (!answers.isWaiting) {
      cancelledAt = null;
      const isIdleInTransaction = !isBusy && conversation !== null && conversation.status !== 'I';
      if (isIdleInTransaction && now - quietSince > wireLimits.idleTransactionMilliseconds)
        stop({ code: '25P03', message: 'A transaction has waited for its program for too long.' });
      return;
    }
    quietSince = now;
    if (conversation === null && answers.waitedFor > wireLimits.dialMilliseconds)
      return stop({ code: '08006', message: 'The server did not answer in time.' });
    // A server that isn't read, since the program doesn't read, can't answer to the cancel either.
    const patience = answers.isHeld ? wireLimits.idleTransactionMilliseconds : wireLimits.cancelMilliseconds;
    if (cancelledAt !== null && now - cancelledAt > patience)
      return stop({ code: '57014', message: 'The server did not stop a statement in time.' });
    if (answers.waitedFor < context.timeoutSeconds * 1_000) cancelledAt = null;
    if (cancelledAt !== null || answers.waitedFor < context.timeoutSeconds * 1_000) return;
    cancelledAt = now;
    void server.cancel();
  }, wireLimits.lookMilliseconds);

  const toServer = gathered(line);
  /** Waits while a program sends faster than its server takes it, or than it reads itself. */
  const keptPace = async (): Promise<void> => {
    const isAhead = (): boolean =>
      line.writableLength > wireLimits.aheadBytes || answers.waiting > wireLimits.aheadMessages;
    if (line.writableLength + toServer.bytes > wireLimits.aheadBytes) toServer.flush();
    while (isAhead() && !isEnding && !line.destroyed) {
      toServer.flush();
      await new Promise(resolve => setTimeout(resolve, wireLimits.paceMilliseconds));
    }
  };
  const pump = async (): Promise<void> => {
    if (isBusy || conversation === null) return;
    isBusy = true;
    try {
      for (let given = reader.next(); given !== null && !isEnding; given = reader.next()) {
        quietSince = performance.now();
        if (!ports.isAllowed()) {
          stop(closed);
          break;
        }
        if (!ports.isAsBegun()) {
          stop(changed);
          break;
        }
        if (await conversation.take(given)) {
          await keptPace();
          continue;
        }
        answers.flush();
        connection.end();
        leave();
      }
    } catch (error) {
      const isTheirs = error instanceof MalformedMessage || error instanceof RangeError || error instanceof TypeError;
      if (!isTheirs) ports.report(error);
      stop({ code: '08P01', message: 'The message is not one of PostgreSQL’s protocol.' });
    }
    isBusy = false;
    if (reader.waiting <= wireLimits.messageBytes) connection.resume();
  };

  connection.on('data', (chunk: Buffer) => {
    reader.add(chunk);
    if (isBusy && reader.waiting > wireLimits.aheadBytes) connection.pause();
    void pump();
  });

  const record = programRecord(ports, { ...program, signal: context.signal });
  const begin = (): void => {
    conversation = new Conversation({
      send(...bytes) {
        for (const each of bytes) toServer.add(each);
      },
      answers,
      wall: server.wall,
      count: ports.count,
      begin: record.begin,
      refused: record.refused,
      async read(text, isQuery) {
        if (isQuery) return ports.classifier.ask(context, 'postgresClientQuery', text);
        const answer = await ports.classifier.ask(context, 'postgresClientStatement', text);
        return answer.kind === 'done' ? { kind: 'done', value: [answer.value] } : answer;
      },
      judge: async (by, names, ask) => {
        const followed = await server.follow(ports.classifier, context, by, names, ask);
        if (followed.kind === 'failed') return failureError(followed.failure, program.resolved.connection);
        return notRead(followed.classification);
      },
    });
    connection.resume();
    void pump();
  };
  greet(server, program, answers, begin, resolve => {
    greeted = resolve;
  });
  return () => {
    if (answers.isWaiting && isBusy) void server.cancel();
  };
}
