/** One tool call from name to outcome (spec §4): is there such a tool, may this token, do the arguments fit, run it, record it. */

import type { ActivityLog, ActivityResult } from '../activity.ts';
import { toolError } from '../refusal.ts';
import { parseArguments } from './arguments.ts';
import { type Catalog, covers } from './catalog.ts';
import { factsOfError, type Log } from './log.ts';
import { callIntent, resultOf, saysTheSame } from './record-call.ts';
import { refused, type ToolCall, type ToolOutcome } from './tool.ts';

export interface DispatchPorts {
  readonly catalog: Catalog;
  readonly log: Log;
  readonly activity: Pick<ActivityLog, 'record'>;
  /** Monotonic milliseconds. */
  readonly elapsed: () => number;
}

/** A call as it comes in: what becomes of its statement is told to this room. */
export type CallComeIn = Omit<ToolCall, 'took' | 'recorded'>;

/** Never throws: what a tool throws is logged with the request's id and answered without its details. */
export async function dispatch(
  ports: DispatchPorts,
  comeIn: CallComeIn,
  name: string,
  given: Readonly<Record<string, unknown>>,
  /** Of a resource or prompt, which always has a row of its own. */
  readAs: { readonly category: 'resource'; readonly action: string } | null = null,
): Promise<ToolOutcome> {
  const start = ports.elapsed();
  let statement: ActivityResult | null = null;
  const { principal, client, signal, requestId, channel, brought } = comeIn;
  const call: ToolCall = {
    principal,
    client,
    signal,
    requestId,
    channel,
    brought,
    progress: comeIn.progress && growing(comeIn.progress),
    took: () => ports.elapsed() - start,
    recorded(result) {
      statement = result;
    },
  };
  const outcome = await outcomeOf(ports, call, name, given);
  const result = resultOf(outcome);
  if (readAs === null && saysTheSame(statement, result)) return outcome;
  const tool = ports.catalog.find(name)?.tool.name ?? null;
  const durationMilliseconds = call.took();
  ports.activity.record(Object.assign(callIntent(call, tool, outcome), result, { durationMilliseconds }, readAs));
  return outcome;
}

/** MCP wants it to grow with every word. Who waits and who runs count for themselves, and one may follow the other or itself. */
function growing(progress: NonNullable<ToolCall['progress']>): NonNullable<ToolCall['progress']> {
  let last = Number.NEGATIVE_INFINITY;
  return (value, total, message) => {
    last = value > last ? value : last + 1;
    progress(last, total, message);
  };
}

async function outcomeOf(
  { catalog, log }: DispatchPorts,
  call: ToolCall,
  name: string,
  given: Readonly<Record<string, unknown>>,
): Promise<ToolOutcome> {
  const entry = catalog.find(name);
  if (entry === null) return refused({ kind: 'unknown_tool', tool: name });
  const { tool } = entry;
  if (!covers(call.principal.scope, tool.scope)) {
    return refused({ kind: 'tool_out_of_scope', tool: tool.name, needs: tool.scope, has: call.principal.scope });
  }
  const args = parseArguments(entry, given);
  if (args.kind === 'refused') return args;
  try {
    return await tool.run(call, args.value);
  } catch (error) {
    if (call.signal.aborted) return refused({ kind: 'cancelled' });
    const { requestId, principal } = call;
    log.error({ requestId, tool: tool.name, principal: principal.id, ...factsOfError(error) }, 'a tool failed');
    const sentence = `Something went wrong inside Sallyport; its log has the details under request ${requestId}.`;
    return refused(toolError('internal_failure', sentence));
  }
}
