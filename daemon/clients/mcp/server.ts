/**
 * The SDK's server that answers one request and is then discarded: if it served two, a late
 * progress notification of the first could land in the answer to the second. It has only the
 * handlers that its request needs.
 */

import {
  CLIENT_CAPABILITIES_META_KEY,
  type JSONRPCRequest,
  ProtocolError,
  type Result,
  SERVER_INFO_META_KEY,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import { errorCodes, protocolVersions } from '../../../shared/codes.ts';
import type { Discovery } from '../../../shared/control.ts';
import { isObject } from '../../../shared/json.ts';
import type { Principal } from '../../access/tokens/token.ts';
import { answer } from './answer.ts';
import type { ContextHandlers } from './context-handlers.ts';
import { type DispatchPorts, dispatch } from './dispatch.ts';
import { instructionsFor } from './instructions.ts';
import { isNotGiven } from './meant-arguments.ts';
import { malformedCursor } from './refusal-words.ts';
import type { Elicit, ElicitationReply, Era, QuestionChannel, ToolCall, ToolOutcome } from './tool.ts';

export interface McpPorts extends DispatchPorts {
  /** Sallyport's own version, as clients see it. */
  readonly version: string;
  readonly newId: () => string;
  /** Adds the handlers of resources, prompts and completion; absent if there are only tools. */
  readonly offerContext?: ContextHandlers | undefined;
}

export interface McpCaller {
  readonly principal: Principal;
  /** The client's own name, cleaned; null if nothing readable is left. */
  readonly client: string | null;
  readonly clock: ToolCall['clock'];
  /**
   * True if the client takes a stream of events as the answer: a single message has no room for
   * progress or a question.
   */
  readonly takesEvents: boolean;
  /** How a client of the 2025 revisions is asked; absent if it can't be, and for later ones. */
  readonly elicit?: Elicit;
  /** Set for a call that runs already: gives its outcome. The SDK then only sends the answer. */
  readonly outcome?: (context: ServerContext) => Promise<ToolOutcome>;
}

/** @param method of the one request that the server answers. */
export type ServerMaker = (caller: McpCaller, method: string, era: Era) => Server;

/**
 * How long a client may keep a list. It is short, since another token or an update of Sallyport
 * changes the list silently.
 */
const listCacheHint = { ttlMs: 300_000, cacheScope: 'private' } as const;

/**
 * Lists of connections and tables are not kept: they change without notice to clients that don't
 * listen.
 */
const noCacheHint = { ttlMs: 0, cacheScope: 'private' } as const;

/** A token's scope never changes, so neither does the list of its tools. */
const capabilities = {
  tools: { listChanged: false },
  prompts: {},
  completions: {},
  resources: { listChanged: true },
};

export type ServerIdentity = ReturnType<typeof identityOf>;

export const identityOf = (version: string) => ({ name: 'sallyport', title: 'Sallyport', version });

/**
 * The answer to `server/discover` that a bridge passes on to its client (spec §15). A bridge's
 * token has the scope `readWrite`.
 */
export function discovery(version: string): Discovery {
  return {
    capabilities,
    instructions: instructionsFor('readWrite'),
    _meta: { [SERVER_INFO_META_KEY]: identityOf(version) },
  };
}

export function serverMaker(ports: McpPorts): ServerMaker {
  const identity = identityOf(ports.version);
  const options = {
    supportedProtocolVersions: [...protocolVersions],
    cacheHints: {
      'tools/list': listCacheHint,
      'server/discover': listCacheHint,
      'prompts/list': listCacheHint,
      'resources/templates/list': listCacheHint,
      'resources/list': noCacheHint,
      'resources/read': noCacheHint,
    },
    // Shared, as it holds no state between requests and is costly to make.
    jsonSchemaValidator: new AjvJsonSchemaValidator(),
  };
  return (caller, method, era) => {
    const { scope } = caller.principal;
    const server = new OneRequestServer(identity, {
      ...options,
      instructions: instructionsFor(scope),
      capabilities,
    });
    if (method === 'tools/list') {
      server.setRequestHandler(method, ({ params }) => {
        // The whole list is one page, so no cursor can be ours.
        if (params?.cursor !== undefined) throw malformedCursor();
        return { tools: [...ports.catalog.listFor(scope)] };
      });
    }
    if (method === 'tools/call') {
      server.setRequestHandler(method, async ({ params }, context) => {
        if (caller.outcome !== undefined) return answer(await caller.outcome(context), era, scope);
        const call = toolCall(ports, caller, context);
        return answer(await dispatch(ports, call, params.name, params.arguments ?? {}), era, scope);
      });
    }
    // Nobody is asked through a client about a read (spec §6).
    ports.offerContext?.(server, method, context => ({
      ...toolCall(ports, caller, context),
      channel: { kind: 'none' },
    }));
    return server;
  };
}

type Handler = (request: JSONRPCRequest, context: ServerContext) => Promise<Result>;

class OneRequestServer extends Server {
  protected override _wrapHandler(method: string, handler: Handler): Handler {
    const needed = neededBy[method];
    const wrapped = super._wrapHandler(
      method,
      needed === undefined ? handler : sayingWhatIsNeeded(handler, `${method} needs ${needed}.`),
    );
    if (method === 'server/discover') return namingEveryVersion(wrapped);
    const classified = method === 'tools/call' ? sayingWhatACallNeeds(wrapped) : wrapped;
    return (request, context) => classified(withoutNotGiven(request), context);
  }
}

/**
 * Names every revision in the answer to `server/discover`; the SDK would name only the modern ones.
 * A refused legacy client is told all, too, and both lists must agree.
 */
function namingEveryVersion(handler: Handler): Handler {
  return async (request, context) => ({
    ...(await handler(request, context)),
    supportedVersions: [...protocolVersions],
  });
}

/** Some clients write null for absent members, and an empty text or list for an absent cursor. */
const leftOut = ['arguments', 'cursor', 'context'];
const isLeftOut = (name: string, value: unknown): boolean =>
  leftOut.includes(name) && (value === null || (name === 'cursor' && isNotGiven(value)));

/**
 * Drops what a client wrote for absent members. A null among a tool's arguments is left to the
 * tool's schema (meant-arguments.ts). Arguments of prompts and completions are texts, so a null is
 * dropped.
 */
function withoutNotGiven({ params, ...request }: JSONRPCRequest): JSONRPCRequest {
  if (params === undefined) return request;
  const given = withoutMembers(params, isLeftOut);
  if (request.method === 'prompts/get') dropNulls(given);
  if (isObject(given.context)) {
    given.context = { ...given.context };
    dropNulls(given.context as Record<string, unknown>);
  }
  return { ...request, params: given };
}

function dropNulls(beside: Record<string, unknown>): void {
  const { arguments: texts } = beside;
  if (texts === null) delete beside.arguments;
  else if (isObject(texts)) beside.arguments = withoutMembers(texts, (_, value) => value === null);
}

function withoutMembers(
  object: Readonly<Record<string, unknown>>,
  isDropped: (name: string, value: unknown) => boolean,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).filter(([name, value]) => !isDropped(name, value)));
}

/** Refuses a malformed call in one sentence; the SDK would give its validator's whole report. */
function sayingWhatACallNeeds(handler: Handler): Handler {
  return (request, context) => {
    const { name, arguments: given } = request.params ?? {};
    if (typeof name === 'string' && (given === undefined || isObject(given))) return handler(request, context);
    throw new ProtocolError(
      errorCodes.invalidParams,
      'tools/call needs the name of a tool, and its arguments as an object.',
    );
  };
}

const givenCursor = 'a cursor that Sallyport gave, or none';
const neededBy: Readonly<Record<string, string>> = {
  'tools/list': givenCursor,
  'resources/list': givenCursor,
  'resources/templates/list': givenCursor,
  'prompts/list': givenCursor,
  'resources/read': 'the uri of a resource',
  'prompts/get': 'the name of a prompt, and its arguments as an object of texts',
  'completion/complete': 'a ref to a prompt or a template, and an argument with its name and value',
};

/**
 * Refuses a request that doesn't fit its schema in one sentence. The SDK throws at once for such a
 * request, with its validator's whole report.
 */
function sayingWhatIsNeeded(handler: Handler, sentence: string): Handler {
  return (request, context) => {
    try {
      return handler(request, context);
    } catch (error) {
      throw error instanceof ProtocolError ? error : new ProtocolError(errorCodes.invalidParams, sentence);
    }
  };
}

function toolCall(
  ports: McpPorts,
  { principal, client, clock, takesEvents, elicit }: McpCaller,
  context: ServerContext,
): Parameters<typeof dispatch>[1] {
  return {
    principal,
    client: client ?? principal.tokenName,
    signal: context.mcpReq.signal,
    clock,
    progress: takesEvents ? progressOf(context) : null,
    requestId: ports.newId(),
    channel: elicit === undefined ? modernChannel(context) : { kind: 'stream', elicit },
    elicitationReply: elicitationReplyOf(context),
  };
}

/**
 * True if a client can show a form with a question.
 * @param capabilities as the client declares them. An empty declaration means form mode.
 */
export function canElicit(capabilities: unknown): boolean {
  if (typeof capabilities !== 'object' || capabilities === null || !('elicitation' in capabilities)) return false;
  const { elicitation } = capabilities;
  if (typeof elicitation !== 'object' || elicitation === null) return false;
  return 'form' in elicitation || Object.keys(elicitation).length === 0;
}

/** How the client of this request is asked. Only requests of 2026-07-28 carry an envelope. */
function modernChannel({ mcpReq }: ServerContext): QuestionChannel {
  const envelope: Readonly<Record<string, unknown>> = { ...mcpReq.envelope };
  return { kind: canElicit(envelope[CLIENT_CAPABILITIES_META_KEY]) ? 'retry' : 'none' };
}

function elicitationReplyOf({ mcpReq }: ServerContext): ElicitationReply | null {
  const state = mcpReq.requestState();
  return typeof state === 'string' ? { state, responses: mcpReq.inputResponses ?? {} } : null;
}

export function progressOf({ mcpReq }: ServerContext): ToolCall['progress'] {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return null;
  return (progress, total, message) => {
    if (mcpReq.signal.aborted) return;
    const params = { progressToken, progress, message, ...(total !== null && { total }) };
    // A client that left takes no progress; the signal ends its call.
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
  };
}
