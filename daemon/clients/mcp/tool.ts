/**
 * What a tool is to the MCP surface: its published schemas, the scope it needs, and how it is run.
 * Knows no tool.
 */

import type * as z from 'zod';
import type { UsedAccess } from '../../access/access-in-use.ts';
import type { Principal, Scope } from '../../access/tokens/token.ts';
import type { ActivityResult } from '../../activity.ts';
import type { Refusal } from '../../refusal.ts';

export interface ToolCall {
  /** As its token gives it at this moment. */
  readonly principal: Principal;
  readonly access: UsedAccess;
  /** The client's name as it gives it, cleaned: what the database shows. */
  readonly client: string;
  /**
   * Aborted at disconnect, cancellation, revocation, shutdown, and when what the call uses is
   * withdrawn.
   */
  readonly signal: AbortSignal;
  /** Null when the client asked for no progress. */
  readonly progress: ((progress: number, total: number | null, message: string) => void) | null;
  /** Also in the log. */
  readonly requestId: string;
  /** Milliseconds since it came. */
  readonly took: () => number;
  /** Told what the row of its statement says. */
  readonly recorded: (result: ActivityResult) => void;
  /**
   * How a question could reach the user through this client; whether one may is for
   * `confirmation.ts` to decide.
   */
  readonly channel: QuestionChannel;
  /**
   * What a call that comes again brings along; believed by nobody before `client-questions.ts` has.
   */
  readonly brought: BroughtAnswer | null;
}

/** By what the client declared of itself. */
export type QuestionChannel =
  | { readonly kind: 'none' }
  /** 2025 revisions: asked on the call's own stream, while it waits. */
  | { readonly kind: 'stream'; readonly elicit: Elicit }
  /** 2026-07-28: the call ends with the question, and comes again with the answer. */
  | { readonly kind: 'retry' };

/** Never rejects. Resolves when the client answered, or as soon as the signal is aborted. */
export type Elicit = (question: QuestionForm, signal: AbortSignal) => Promise<Elicited>;

export type Elicited =
  /** As it came: nothing in it was checked. */
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

export interface BroughtAnswer {
  readonly state: string;
  readonly responses: Readonly<Record<string, unknown>>;
}

/** Which revisions a client speaks: 2026-07-28, or those of 2025. */
export type Era = 'modern' | 'legacy';

export interface ToolSuccess {
  readonly kind: 'success';
  readonly structuredContent: Record<string, unknown>;
  /** The text content; null for the compact JSON of structuredContent. */
  readonly text: string | null;
  readonly meta: Record<string, unknown> | null;
}

/** The client is to ask its user and call again with the answer (2026-07-28). */
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
  /** The least scope that may call it; a tool outside the token's scope is not listed. */
  readonly scope: Scope;
  readonly annotations: ToolAnnotations;
  /** What a token that only reads is told instead: to it the tool is another. */
  readonly toReaders?: { readonly description: string; readonly annotations: ToolAnnotations };
  /**
   * A strict object; a name that it doesn't have is told as the client's revision wants it
   * (answer.ts), a wrong type or range as a tool error.
   */
  readonly input: z.ZodType<Arguments>;
  readonly output: z.ZodType;
  run(call: ToolCall, args: Arguments): Promise<ToolOutcome>;
  /**
   * Of one that asks the user: the answer that a call brought is used up, whatever came of the
   * call.
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
