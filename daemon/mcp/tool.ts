/** What a tool is to the MCP surface: its published schemas, the scope it needs, and how it is run. Knows no tool. */

import type { z } from 'zod';
import type { Principal, Scope } from '../access/token.ts';
import type { Refusal } from '../refusal.ts';

export interface ToolCall {
  readonly principal: Principal;
  /** The client's name as it gives it, cleaned: what the database shows. */
  readonly client: string;
  /** Aborted at disconnect, cancellation, revocation and shutdown. */
  readonly signal: AbortSignal;
  /** Null when the client asked for no progress. */
  readonly progress: ((progress: number, total: number | null, message: string) => void) | null;
  /** Also in the log. */
  readonly requestId: string;
}

export interface ToolSuccess {
  readonly kind: 'success';
  readonly structuredContent: Record<string, unknown>;
  /** The text content; null for the compact JSON of structuredContent. */
  readonly text: string | null;
  readonly meta: Record<string, unknown> | null;
}

export type ToolOutcome = ToolSuccess | { readonly kind: 'refused'; readonly refusal: Refusal };

export interface ToolAnnotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

export interface Tool<Arguments = unknown> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The least scope that may call it; a tool outside the token's scope is not listed. */
  readonly scope: Scope;
  readonly annotations: ToolAnnotations;
  /** A strict object: an unknown name is -32602, a wrong type or range a tool error. */
  readonly input: z.ZodType<Arguments>;
  readonly output: z.ZodType;
  run(call: ToolCall, args: Arguments): Promise<ToolOutcome>;
}

export function success(
  structuredContent: Record<string, unknown>,
  meta: Record<string, unknown> | null = null,
): ToolSuccess {
  return { kind: 'success', structuredContent, text: null, meta };
}

export function refused(refusal: Refusal): ToolOutcome {
  return { kind: 'refused', refusal };
}
