/**
 * Makes an access request of a call that was refused and that the user could allow, and answers the
 * same call when it comes again (spec §12). Making a request touches no database.
 */

import type {
  AccessRequest,
  AccessRequests,
  AskedStatement,
  RefusalCircumstances,
  RequestContent,
  RequestedCall,
  RequestKeeping,
  RequestOutcome,
} from '../../access/requests/access-requests.ts';
import type { ResolvedConnection } from '../../access/resolve-connection.ts';
import { covers, type Principal } from '../../access/tokens/token.ts';
import type { Taken } from '../../engines/count/taken.ts';
import type { Classification, QualifiedName } from '../../guard/types.ts';
import type { AskedAlready, Refusal, ToolErrorWord } from '../../refusal.ts';
import type { Call } from '../../statement/call.ts';
import { runGranted } from '../../statement/run-granted.ts';
import type { RunPorts, RunResult } from '../../statement/run-statement.ts';
import { success, type ToolCall, type ToolSuccess } from './tool.ts';

/** @param statement null for the first use of the connection. */
export function askedFor(
  { principal, client }: Pick<ToolCall, 'principal' | 'client'>,
  tool: string,
  { connection }: ResolvedConnection,
  statement: AskedStatement | null,
): RequestedCall {
  return { principal, client, tool, connectionId: connection.id, statement };
}

export function circumstancesOf({ connection, access }: ResolvedConnection): RefusalCircumstances {
  return { revision: connection.revision, level: access.level };
}

/**
 * The refusal of a call that was asked about before. Null if the call has to be decided anew:
 * nothing was asked, or the grant is used up.
 */
export function answeredAlready(request: AccessRequest | null): AskedAlready | null {
  if (request === null) return null;
  const { state, facts, askedAt: since } = request;
  if (state === 'refused') return { kind: 'asked_already', state, since };
  // What the user runs waits until it has ended; then `ranByOwner` tells how.
  const waits = state === 'waiting' || (state === 'ran' && facts.outcome === null);
  return waits ? { kind: 'asked_already', state: 'waiting', since } : null;
}

/**
 * How the call ended if the user ran it, else null. It is told once to each principal, for whom the
 * same call is a new one afterwards.
 */
export function ranByOwner(
  requests: Pick<AccessRequests, 'told'>,
  request: AccessRequest | null,
  { id }: Principal,
): RequestOutcome | null {
  if (request?.state !== 'ran' || request.facts.outcome === null) return null;
  requests.told(request.id, id);
  return request.facts.outcome;
}

/** The answer to a statement or plan that the user has run. */
export function ranAnswer(
  outcome: RequestOutcome,
  { steps }: Pick<AskedStatement, 'steps'> = {},
  meta: Record<string, unknown> = {},
): ToolSuccess {
  const content = steps === undefined ? statementOutcome(outcome) : planOutcome(outcome);
  return success(content, { ...meta, ...ranMeta(outcome) });
}

export const statementRan = 'The user ran this statement at';

function statementOutcome({ at, rows: [rows = null], failed }: RequestOutcome): ToolSuccess['structuredContent'] {
  const changed = rows === null ? '' : `; ${rowsChanged(rows)}`;
  const ran = `${statementRan} ${clockWords(at)}`;
  const note = failed === null ? `${ran}${changed}; don't send it again.` : `${ran}. ${failed}`;
  return { ...(rows !== null && { rows_affected: rows }), note };
}

function planOutcome({ at, rows, failed }: RequestOutcome): ToolSuccess['structuredContent'] {
  const changed = rows.reduce<number>((sum, count) => sum + (count ?? 0), 0);
  const ran = `The user ran this plan at ${clockWords(at)}`;
  if (failed !== null) return { state: 'failed', rows_affected: rows, note: `${ran}. ${failed}` };
  const told = `${rows.length} statement${rows.length === 1 ? '' : 's'}, ${rowsChanged(changed)}`;
  return { state: 'done', rows_affected: rows, note: `${ran}: ${told}; don't send it again.` };
}

const rowsChanged = (rows: number): string => `${rows} row${rows === 1 ? '' : 's'} changed`;

/** Tells programs that the user ran it: the user's own terminal may want to run it once more. */
function ranMeta({ at, failed }: RequestOutcome): Record<string, unknown> {
  const when = { 'app.sallyport/ran_by_owner': new Date(at).toISOString() };
  return failed === null ? when : { ...when, 'app.sallyport/run_failed': true };
}

/** The time of the day, as the user's own clock shows it. */
export function clockWords(at: number): string {
  return new Date(at).toTimeString().slice(0, 5);
}

/** Makes a request of a refused call, if that is of use. @returns the refusal, telling of it. */
export async function withRequest(
  requests: Pick<AccessRequests, 'ask'>,
  resolved: ResolvedConnection,
  asked: RequestedCall,
  refusal: Refusal,
  classification: Classification | undefined,
): Promise<Refusal> {
  const lacks = lacksOf(refusal, asked);
  if (lacks === null || classification === undefined) return refusal;
  const { class: statementClass, reason, reasonParts, tables } = classification;
  const { id, name, tags, colour } = resolved.connection;
  const mayConfirm = covers(asked.principal.scope, 'fullAccess');
  const request = await requests.ask(asked, circumstancesOf(resolved), {
    connection: { id, name, tags, colour },
    lacks,
    // Only a token with Full Access may run destructive statements.
    runsBy: statementClass === 'destructive' && !mayConfirm ? 'owner' : 'client',
    means: null,
    classified: { class: statementClass, reason, reasonParts, tables: tables.map(qualified) },
  });
  return withKeeping(refusal, request);
}

export function withKeeping(refusal: Refusal, request: RequestKeeping): Refusal {
  const isTold = refusal.kind === 'read_only' || refusal.kind === 'needs_yes' || refusal.kind === 'no_yes';
  return isTold ? { ...refusal, request } : refusal;
}

/** What a client lacks. Null if more access would not help, or if a tool of its own asks. */
function lacksOf(refusal: Refusal, { principal }: RequestedCall): RequestContent['lacks'] | null {
  switch (refusal.kind) {
    case 'read_only':
      if (refusal.reasonAdvises) return null;
      return refusal.limitedBy === 'connection' ? 'connection_level' : 'token_scope';
    case 'needs_yes':
      return covers(principal.scope, 'fullAccess') ? null : 'yes';
    case 'no_yes':
      return nobodyAnswered(refusal) ? 'yes' : null;
    default:
      return null;
  }
}

/** True if nobody denied the call: there was nobody to ask, or no answer came. */
export function nobodyAnswered(refusal: Refusal): boolean {
  return refusal.kind === 'no_yes' && ['nobody', 'timeout', 'too_long_for_client'].includes(refusal.why);
}

/**
 * Runs what the user has allowed. If it would have taken more than the user saw, it is refused, and
 * waits for them again.
 */
export async function runAllowed(
  ports: RunPorts & { readonly accessRequests: AccessRequests<Taken> },
  statement: Call,
  allowed: AccessRequest<Taken>,
): Promise<RunResult> {
  const { accessRequests } = ports;
  const ran = await runGranted(ports, statement, allowed.facts);
  if (ran.kind === 'done') return ran;
  if (ran.kind === 'refused') {
    if (leftNothing(ran.refusal)) accessRequests.giveBack(allowed.id);
    return ran;
  }
  const isHeld = accessRequests.hold(allowed.id, ran.found);
  const again = { kind: 'asked_already', state: 'again', since: allowed.askedAt } as const;
  return { kind: 'refused', refusal: isHeld ? again : ran.refusal };
}

/** True if a granted run may be tried again: after each of these nothing of it stays. */
function leftNothing(refusal: Refusal): boolean {
  return refusal.kind === 'unrecordable' || (refusal.kind === 'tool_error' && tryAgain.has(refusal.word));
}

const tryAgain: ReadonlySet<ToolErrorWord> = new Set<ToolErrorWord>([
  'busy',
  'lock_timeout',
  'not_connected',
  'timeout',
  'query_failed',
]);

export function qualified({ schema, name: table }: QualifiedName): string {
  return schema === null ? table : `${schema}.${table}`;
}
