/**
 * A tool as the MCP side sees it: its published schemas, its scope, and how to run it. Knows no
 * tool.
 */

import type * as z from 'zod';
import type { UsedAccess } from '../../access/access-in-use.ts';
import type { Principal, Scope } from '../../access/tokens/token.ts';
import type { ActivityResult } from '../../activity.ts';
import type { CallClock } from '../../engines/call-clock.ts';
import type { Refusal } from '../../refusal.ts';

export interface ToolCall {
  /** With its token's present access. */
  readonly principal: Principal;
  readonly access: UsedAccess;
  /** The client's own name, cleaned; the database shows it. */
  readonly client: string;
  /**
   * Aborted at disconnect, cancellation, revocation, shutdown, and when access that the call uses
   * is withdrawn.
   */
  readonly signal: AbortSignal;
  /** Null if the client asked for no progress. */
  readonly progress: ((progress: number, total: number | null, message: string) => void) | null;
  /** Also in the log. */
  readonly requestId: string;
  readonly clock: CallClock;
  /** Gets the result in its statement's row. */
  readonly recorded: (result: ActivityResult) => void;
  /**
   * How a question could reach the user through this client; `confirmation.ts` decides whether one
   * may.
   */
  readonly channel: QuestionChannel;
  /**
   * The answer that a repeated call brings; nobody trusts it before `client-questions.ts` has
   * checked it.
   */
  readonly elicitationReply: ElicitationReply | null;
}

/**
 * How a question reaches the user through the client, as far as the client declared that it can.
 */
export type QuestionChannel =
  | { readonly kind: 'none' }
  /** 2025 revisions: asked on the call's own stream while it waits. */
  | { readonly kind: 'stream'; readonly elicit: Elicit }
  /** 2026-07-28: the call ends with the question and is repeated with the answer. */
  | { readonly kind: 'retry' };

/** Never rejects. Resolves when the client answered, or at once when the signal is aborted. */
export type Elicit = (question: QuestionForm, signal: AbortSignal) => Promise<Elicited>;

export type Elicited =
  /** Unchecked. */
  | { readonly kind: 'answered'; readonly result: unknown }
  /** The client answered with an error. */
  | { readonly kind: 'failed' }
  | { readonly kind: 'ended' };

/** The parameters of a form-mode elicitation, the same in every revision. */
export interface QuestionForm {
  readonly message: string;
  readonly requestedSchema: {
    readonly type: 'object';
    readonly properties: Readonly<
      Record<string, { readonly type: 'boolean'; readonly title: string; readonly description: string }>
    >;
    readonly required: readonly string[];
  };
}

export interface ElicitationReply {
  readonly state: string;
  readonly responses: Readonly<Record<string, unknown>>;
}

/** A client's revisions: 2026-07-28, or those of 2025. */
export type Era = 'modern' | 'legacy';

export interface ToolSuccess {
  readonly kind: 'success';
  readonly structuredContent: Record<string, unknown>;
  /** The text content; null for the compact JSON of structuredContent. */
  readonly text: string | null;
  readonly meta: Record<string, unknown> | null;
}

/** The client shall ask its user and call again with the answer (2026-07-28). */
export interface InputRequired {
  readonly kind: 'input_required';
  readonly form: QuestionForm;
  readonly state: string;
}

export type ToolOutcome = ToolSuccess | InputRequired | { readonly kind: 'refused'; readonly refusal: Refusal };

interface ToolAnnotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
}

export interface Tool<Arguments = unknown> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The least scope that may call it; a tool outside a token's scope is not listed. */
  readonly scope: Scope;
  readonly annotations: ToolAnnotations;
  /** What a read-only token sees instead: for it the tool does something else. */
  readonly toReaders?: { readonly description: string; readonly annotations: ToolAnnotations };
  /**
   * A strict object. An unknown name is reported as the client's revision demands (answer.ts), a
   * wrong type or range as a tool error.
   */
  readonly input: z.ZodType<Arguments>;
  readonly output: z.ZodType;
  run(call: ToolCall, args: Arguments): Promise<ToolOutcome>;
  /**
   * For a tool that asks the user: uses up the answer that a call brought, however the call ended.
   */
  discardAnswer?(state: string, principal: Principal): void;
}

export function success(
  structuredContent: Record<string, unknown>,
  meta: Record<string, unknown> | null = null,
): ToolSuccess {
  return { kind: 'success', structuredContent, text: null, meta };
}

export function refused(refusal: Refusal): Extract<ToolOutcome, { kind: 'refused' }> {
  return { kind: 'refused', refusal };
}
