/**
 * An SQLite file behind the `Database` port. Statements run in child processes (child/worker.ts),
 * because the driver blocks its process and only a process can be stopped. The first call starts a
 * child and opens the file.
 */

import { setMaxListeners } from 'node:events';
import { type ProgramCommand, programCommand } from '../../../shared/programs.ts';
import type { Endpoint } from '../../access/connection.ts';
import type { Defined } from '../../guard/sqlite/defined/facts.ts';
import { type CallClock, lockMilliseconds, serverSeconds } from '../call-clock.ts';
import type {
  Answer,
  AskWithin,
  CallContext,
  Database,
  DatabaseFailure,
  DatabasePorts,
  RowSink,
  SessionKind,
  StatementOutcome,
  StatementRequest,
} from '../engine.ts';
import type { InTime } from '../in-time.ts';
import { Made } from '../made.ts';
import { mostSessions } from '../session-turns.ts';
import { sessionsInTurn } from '../sessions-in-turn.ts';
import { unlessAborted } from '../unless-aborted.ts';
import { catalogTexts } from './catalog-texts.ts';
import type { Did, FileIdentity, RunRequest } from './child/protocol.ts';
import { countSteps } from './count/steps.ts';
import { count, holdRun } from './count.ts';
import { hiddenTables } from './describe/hidden-tables.ts';
import { describeTables } from './describe.ts';
import { identifyFile, type RefuseFile } from './dial.ts';
import { dialect } from './dialect.ts';
import { follow } from './follow.ts';
import { type LookUp, lookUpWith } from './look-up.ts';
import { openPool, type PoolLimits } from './pool.ts';
import { planPreview } from './preview.ts';
import { rehearse } from './rehearse.ts';
import { rights } from './rights.ts';
import { planRole } from './role.ts';
import { Definitions } from './run/definition.ts';
import { type RunAttempt, run } from './run.ts';
import { listTables, schemaOf } from './schema.ts';
import { type Child, startChild } from './session.ts';
import { status } from './status.ts';
import { type Watch, watchFor } from './watch.ts';

export interface SqlitePorts extends DatabasePorts {
  readonly refuseFile: RefuseFile;
  /** How a child is started; absent for this process's Node and the compiled worker beside it. */
  readonly workerCommand?: ProgramCommand | null;
}

/** Most time that a preview waits for another program's lock (spec §9). */
const rollbackLockWaitMilliseconds = 2_000;

/** Children that one client may keep busy: each is a process. */
const sharedChildren = 4;
/**
 * An idle child keeps the file open, which in WAL mode keeps other programs from leaving that mode.
 */
const poolLimits: PoolLimits = { most: mostSessions(sharedChildren), idleMilliseconds: 20_000 };

export function openSqlite(endpoint: Endpoint, ports: SqlitePorts): Database {
  const command = ports.workerCommand ?? programCommand('sqlite-worker');
  const pool = openPool(() => startChild(command), poolLimits);
  const definitions = new Definitions(new Made(ports.now));
  const closing = new AbortController();
  // Each statement has a listener, which is removed at its end: any number is right.
  setMaxListeners(0, closing.signal);

  const turns = sessionsInTurn(sharedChildren, ports.now);

  /**
   * The file as it was identified last. Identifying it for each read would take a quarter of a
   * call, so the child checks that it is still the same.
   */
  let identified: Answer<FileIdentity> | null = null;
  /**
   * The look that is under way. All calls share it: a file system that never answers then keeps one
   * thread busy, not one for each call.
   */
  let looking: Promise<Answer<FileIdentity>> | null = null;
  const identify = async (context: CallContext): Promise<Answer<FileIdentity>> => {
    if (context.clock !== undefined) context.clock.stage = 'file';
    looking ??= identifyFile(endpoint.filePath, ports.refuseFile).finally(() => {
      looking = null;
    });
    const watch = watchFor(context, closing.signal);
    const file = await unlessAborted(looking, watch.signal)
      .catch((error: unknown) => {
        if (!watch.signal.aborted) throw error;
        return null;
      })
      .finally(() => watch.clear());
    identified = file?.kind === 'done' ? file : null;
    if (file !== null) return file;
    const failure = watch.failure();
    return failure.kind === 'timeout' ? { kind: 'no_answer', stage: 'file', seconds: failure.seconds } : failure;
  };

  /**
   * Runs an attempt on a child once it is the call's turn.
   * @param repeatable whether to try another child if one ended before it said anything.
   */
  const onChild = async <T>(
    context: CallContext,
    attempt: (child: Child, file: FileIdentity, watch: Watch, clock: CallClock) => Promise<RunAttempt<T>>,
    repeatable: boolean,
  ): Promise<T | DatabaseFailure> => {
    const elsewhere = otherPlace(context, endpoint.filePath);
    if (elsewhere !== null) return { kind: 'unsupported', message: elsewhere };
    const found = identified ?? (await identify(context));
    if (found.kind !== 'done') return found;
    // The attempt's own watch ends it in time.
    return turns.within(context, ({ clock }) => inTurn({ ...context, clock }, found.value, attempt, repeatable));
  };

  const inTurn = async <T>(
    context: InTime<CallContext>,
    found: FileIdentity,
    attempt: (child: Child, file: FileIdentity, watch: Watch, clock: CallClock) => Promise<RunAttempt<T>>,
    repeatable: boolean,
  ): Promise<T | DatabaseFailure> => {
    const watch = watchFor(context, closing.signal);
    let file = found;
    try {
      for (let tries = 1; ; tries += 1) {
        const child = await pool.acquire(watch.signal);
        if (child === null) return notBegun(watch);
        context.clock.stage = 'statement';
        const worn = child.uses > 0;
        const { outcome, again } = await attempt(child, file, watch, context.clock);
        if (again === null || tries > 1) return outcome;
        if (again === 'elsewhere') {
          const now = await identify(context);
          if (now.kind !== 'done') return now;
          file = now.value;
        }
        // A used child that said nothing may have died while it was idle: another is tried.
        else if (!worn || !repeatable) return outcome;
      }
    } finally {
      watch.clear();
    }
  };

  const runStatement = (request: StatementRequest, sink: RowSink): Promise<StatementOutcome> => {
    const {
      sql,
      parameters,
      session,
      limits,
      mayCommit,
      definition,
      isClassified = false,
      isOnlyWrite = false,
    } = request;
    const asks = session === 'write' && mayCommit !== undefined;
    const attempt = async (
      child: Child,
      file: FileIdentity,
      watch: Watch,
      clock: CallClock,
    ): Promise<RunAttempt<StatementOutcome>> => {
      const settled = (reusable: boolean) => {
        if (reusable) pool.release(child);
      };
      const line = {
        kind: 'run',
        file,
        sql,
        parameters,
        session,
        limits,
        asks,
        isClassified,
        isOnlyWrite,
        ...(request.sight !== undefined && request.isOurs !== true && { sight: request.sight }),
        ...(request.masks !== undefined && request.isOurs !== true && { masks: request.masks }),
        ...lockWait(request, session),
      } as const;
      const told: { defined: Defined | null; refusal: DatabaseFailure | null } = { defined: null, refusal: null };
      const decide = async (did: Did): Promise<boolean> => {
        const { defined } = did;
        const refusal = definition === undefined ? null : definitions.refusal(file, defined);
        told.defined = defined;
        told.refusal = refusal !== null && definition?.mayStay(refusal.reasons ?? []) === false ? refusal : null;
        return told.refusal === null && ((await mayCommit?.(definitions.counted(file, did), askNothing)) ?? false);
      };
      const ran = await run(child, line, sink, watch, settled, decide, clock);
      if (ran.outcome.kind === 'done' && told.defined !== null) definitions.remember(file, told.defined);
      return ran.outcome.kind === 'not_committed' && told.refusal !== null ? { ...ran, outcome: told.refusal } : ran;
    };
    return onChild(request, attempt, session === 'read');
  };
  const lookUp = (context: CallContext): LookUp => lookUpWith(runStatement, context);
  const database: Database = {
    dialect,
    run: runStatement,
    rehearse: (context, work) =>
      onChild(
        context,
        (child, file, watch) =>
          rehearse(
            {
              child,
              file,
              watch,
              release: () => pool.release(child),
              givesWay: context.givesWay === true,
              sight: context.sight,
              masks: context.masks,
              keeps: context.keeps ?? null,
              remember: defined => definitions.remember(file, defined),
              clock: context.keeps === undefined ? undefined : context.clock,
              ...lockWait(context, context.keeps === undefined ? 'rollback' : 'write'),
              counted: did => definitions.counted(file, did),
              refusal: defined => definitions.refusal(file, defined),
            },
            work,
          ),
        true,
      ),
    follow: (classifier, context, sql, facts) => {
      const isOurs = (version: number, table: string, text: string) =>
        identified?.kind === 'done' && definitions.isKnown(identified.value, version, table, text);
      return follow(database, classifier, context, sql, facts, isOurs);
    },
    planPreview: (classifier, planning) => planPreview(classifier, { ...planning, database }),
    count: counting => count({ ...counting, database }),
    holdRun,
    countSteps,
    planRole,
    rights,
    status: context => status(lookUp(context), endpoint.filePath, ports.now),
    listTables: context => listTables(lookUp(context), context.schema),
    listSchemas: async () => ({ kind: 'done', value: { schemas: ['main'], databases: [] } }),
    catalogTexts: context => catalogTexts(lookUp(context), context.schema),
    describeTables: (context, names) => describeTables(lookUp(context), context.schema, names),
    // SQLite keeps no routines and no types.
    describeObjects: async () => ({ kind: 'done', value: [] }),
    hiddenTables: context => hiddenTables(lookUp(context), context.sight),
    async close() {
      turns.close();
      closing.abort();
      await pool.close();
    },
  };
  return database;
}

/** Asks nothing: the child that has the transaction waits for a yes or no, and for nothing else. */
const askNothing: AskWithin = async () => ({ kind: 'unsupported', message: 'Nothing can be asked within it.' });

/** Why no child was free although the call had its turn: one that was killed isn't gone yet. */
function notBegun(watch: Watch): DatabaseFailure {
  const failure = watch.failure();
  return failure.kind === 'timeout' ? { kind: 'busy', why: { who: 'sessions', seconds: failure.seconds } } : failure;
}

function lockWait(context: CallContext, session: SessionKind): Pick<RunRequest, 'lockWaitMilliseconds'> {
  const most = Math.ceil(lockMilliseconds(serverSeconds(context) * 1_000));
  return { lockWaitMilliseconds: session === 'rollback' ? Math.min(rollbackLockWaitMilliseconds, most) : most };
}

/** @returns a sentence if the caller names another database or schema than the file's. */
function otherPlace(context: CallContext, filePath: string | null): string | null {
  const { database, schema } = context;
  if (schema !== null && schema.toLowerCase() !== schemaOf(schema)) {
    return `An SQLite connection has the schema main alone; ${JSON.stringify(schema)} does not exist. Leave the schema out.`;
  }
  if (database !== null && database !== 'main' && database !== filePath && database !== filePath?.split('/').at(-1)) {
    return 'An SQLite connection is one database file; leave the database out.';
  }
  return null;
}
