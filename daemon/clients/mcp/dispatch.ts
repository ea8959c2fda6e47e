/**
 * One tool call from name to outcome (spec §4): does the tool exist, may this token call it, do the
 * arguments fit; then it runs and is recorded.
 */

import type { AccessInUse } from '../../access/access-in-use.ts';
import { covers } from '../../access/tokens/token.ts';
import type { ActivityLog, ActivityResult } from '../../activity.ts';
import { CallClock } from '../../engines/call-clock.ts';
import { toolError } from '../../refusal.ts';
import { orWithdrawn } from '../../statement/withdrawn.ts';
import { parseArguments } from './arguments.ts';
import { factsOfError, type Log } from './log.ts';
import { callIntent, resultOf, saysTheSame } from './record-call.ts';
import { refused, type ToolCall, type ToolOutcome } from './tool.ts';
import type { Catalog, CatalogEntry } from './tool-catalog.ts';

export interface DispatchPorts {
  readonly catalog: Catalog;
  readonly log: Log;
  readonly activity: Pick<ActivityLog, 'record'>;
  readonly accessInUse: Pick<AccessInUse, 'begin'>;
  /** Monotonic milliseconds. */
  readonly elapsed: () => number;
}

/** An incoming call; `recorded` gets its statement's result. */
export type IncomingCall = Omit<ToolCall, 'access' | 'recorded'>;

/** Begin it when the first byte of a call is read. */
export function beginClock({ elapsed }: Pick<DispatchPorts, 'elapsed'>): CallClock {
  return new CallClock(elapsed);
}

/** Never throws: a tool's error is logged with the request's id and answered without details. */
export async function dispatch(
  ports: DispatchPorts,
  incoming: IncomingCall,
  name: string,
  given: Readonly<Record<string, unknown>>,
  /** Set for a resource or prompt, which always has a row of its own. */
  readAs: { readonly category: 'resource'; readonly action: string } | null = null,
): Promise<ToolOutcome> {
  let statement: ActivityResult | null = null;
  const { client, clock, requestId, channel, elicitationReply } = incoming;
  const entry = ports.catalog.find(name);
  const access = ports.accessInUse.begin(incoming.principal, entry?.tool.scope ?? 'readOnly', incoming.signal);
  const call: ToolCall = {
    get principal() {
      return access.principal();
    },
    access,
    client,
    signal: access.signal,
    requestId,
    channel,
    elicitationReply,
    progress: incoming.progress && growing(incoming.progress),
    clock,
    recorded(result) {
      statement = result;
    },
  };
  const outcome = await outcomeOf(ports.log, call, entry, name, given).finally(() => {
    access.end();
    clock.end();
  });
  if (elicitationReply !== null) entry?.tool.discardAnswer?.(elicitationReply.state, call.principal);
  const result = resultOf(outcome);
  if (readAs === null && saysTheSame(statement, result)) return outcome;
  const tool = entry?.tool.name ?? null;
  const durationMilliseconds = clock.took();
  ports.activity.record(Object.assign(callIntent(call, tool, outcome), result, { durationMilliseconds }, readAs));
  return outcome;
}

/**
 * MCP demands growing numbers. A waiting and a running phase each count from their start, and may
 * follow each other.
 */
function growing(progress: NonNullable<ToolCall['progress']>): NonNullable<ToolCall['progress']> {
  let last = Number.NEGATIVE_INFINITY;
  return (value, total, message) => {
    last = value > last ? value : last + 1;
    progress(last, total, message);
  };
}

async function outcomeOf(
  log: Log,
  call: ToolCall,
  entry: CatalogEntry | null,
  name: string,
  given: Readonly<Record<string, unknown>>,
): Promise<ToolOutcome> {
  if (entry === null) return refused({ kind: 'unknown_tool', tool: name });
  const { tool } = entry;
  if (!covers(call.principal.scope, tool.scope)) {
    return refused({ kind: 'tool_out_of_scope', tool: tool.name, needs: tool.scope, has: call.principal.scope });
  }
  const args = parseArguments(entry, given);
  if (args.kind === 'refused') return args;
  try {
    const outcome = await tool.run(call, args.value);
    return outcome.kind === 'refused' ? refused(orWithdrawn(call.access, outcome.refusal, false)) : outcome;
  } catch (error) {
    if (call.signal.aborted) return refused(orWithdrawn(call.access, { kind: 'cancelled' }, false));
    const { requestId, principal } = call;
    log.error({ requestId, tool: tool.name, principal: principal.id, ...factsOfError(error) }, 'a tool failed');
    const sentence = `Something went wrong inside Sallyport; its log has the details under request ${requestId}.`;
    return refused(toolError('internal_failure', sentence));
  }
}
