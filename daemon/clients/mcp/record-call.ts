/**
 * Records a tool call in the activity log (spec §14): who called what on which connection, how it
 * ended, and why. No arguments.
 */

import { type ActivityIntent, type ActivityResult, outcomeOf, reasonOf } from '../../activity.ts';
import type { ToolCall, ToolOutcome } from './tool.ts';

/** @param tool null for an unknown name: a client may have put anything there. */
export function callIntent(
  { principal, client, requestId }: ToolCall,
  tool: string | null,
  outcome: ToolOutcome,
): ActivityIntent {
  return {
    category: 'tool',
    action: tool ?? 'unknown_tool',
    principal: principal.id,
    tokenName: principal.tokenName,
    client,
    connection: outcome.kind === 'success' ? connectionIn(outcome.meta) : null,
    requestId,
  };
}

/** A call whose statement has a row gets none of its own, unless it ended differently. */
export function saysTheSame(statement: ActivityResult | null, call: ActivityResult): boolean {
  return (
    statement !== null && statement.outcome === call.outcome && (statement.reason ?? null) === (call.reason ?? null)
  );
}

export function resultOf(outcome: ToolOutcome): ActivityResult {
  switch (outcome.kind) {
    case 'success':
      return { outcome: 'success' };
    case 'input_required':
      return { outcome: 'success', reason: 'a question is asked through the client' };
    case 'refused':
      return { outcome: outcomeOf(outcome.refusal), reason: reasonOf(outcome.refusal) };
  }
}

/** The connection that an answer's `_meta` names (spec §8); null if it names none. */
function connectionIn(meta: Record<string, unknown> | null): { readonly id: string; readonly name: string } | null {
  const named = meta?.['app.sallyport/connection'];
  if (typeof named !== 'object' || named === null || !('id' in named) || !('name' in named)) return null;
  return { id: String(named.id), name: String(named.name) };
}
