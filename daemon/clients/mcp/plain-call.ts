/**
 * Runs a `tools/call` without the SDK, whose server, closing and checks cost as much as the call
 * itself. Nearly every call has one answer, printed here as the SDK would print it
 * (test/clients/http/plain-calls.test.ts compares the two). Anything else (progress, a question, an
 * error) goes through the SDK, which is started only then.
 */

import { CLIENT_CAPABILITIES_META_KEY, SERVER_INFO_META_KEY, type ServerContext } from '@modelcontextprotocol/server';
import { isObject } from '../../../shared/json.ts';
import { jsonOfContent } from '../../engines/row-text.ts';
import { type DispatchPorts, dispatch } from './dispatch.ts';
import { canElicit, type McpCaller, progressOf, type ServerIdentity } from './server.ts';
import type { Elicit, ToolOutcome, ToolSuccess } from './tool.ts';

export interface PlainCall {
  readonly id: string | number;
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly meta: Readonly<Record<string, unknown>>;
}

const reservedPrefix = 'io.modelcontextprotocol/';
/**
 * Possible names of our tools: they need no decoding, and no object has a member of such a name.
 */
const plainName = /^\w+$/;

/**
 * @param reserved members of `_meta` that the caller has checked.
 * @returns null if the SDK must check it: anything that it might refuse or read differently, and a
 *   returning answer.
 */
export function plainCallOf(body: Readonly<Record<string, unknown>>, reserved: readonly string[]): PlainCall | null {
  const { jsonrpc, id, method, params } = body;
  if (jsonrpc !== '2.0' || method !== 'tools/call' || !isObject(params) || Object.keys(body).length !== 4) return null;
  if (typeof id !== 'string' && !Number.isSafeInteger(id)) return null;
  const { name, arguments: given = {}, _meta: meta = {}, ...others } = params;
  if (typeof name !== 'string' || !plainName.test(name) || Object.keys(others).length > 0) return null;
  if (!isObject(given) || Object.hasOwn(given, '__proto__') || !isObject(meta)) return null;
  if (!Object.keys(meta).every(key => reserved.includes(key) || isOthers(key))) return null;
  const { progressToken } = meta;
  if (progressToken !== undefined && typeof progressToken !== 'string' && !Number.isSafeInteger(progressToken))
    return null;
  return { id: id as string | number, name, arguments: given, meta };
}

function isOthers(key: string): boolean {
  return key === 'progressToken' || (key.includes('/') && !key.startsWith(reservedPrefix));
}

/**
 * Starts the SDK for this call. Resolves with its context (at once if it is started already); never
 * if the call has ended.
 */
export type TakeUp = () => Promise<ServerContext>;

interface PlainCallPorts extends DispatchPorts {
  readonly newId: () => string;
}

/**
 * @param elicit for the 2025 revisions: asks on the stream of a call for which the SDK was started.
 *   Null if nobody can be asked so.
 */
export function runPlainCall(
  ports: PlainCallPorts,
  { principal, client, clock, takesEvents }: McpCaller,
  call: PlainCall,
  signal: AbortSignal,
  takeUp: TakeUp,
  era: { readonly kind: 'modern' } | { readonly kind: 'legacy'; readonly elicit: Elicit | null },
): Promise<ToolOutcome> {
  const ask = era.kind === 'legacy' && era.elicit !== null ? askingLate(era.elicit, takeUp) : null;
  const canRetry = era.kind === 'modern' && canElicit(call.meta[CLIENT_CAPABILITIES_META_KEY]);
  const saysProgress = takesEvents && call.meta.progressToken !== undefined;
  const toolCall = {
    principal,
    client: client ?? principal.tokenName,
    signal,
    clock,
    progress: saysProgress ? progressLate(takeUp) : null,
    requestId: ports.newId(),
    channel:
      ask !== null
        ? { kind: 'stream' as const, elicit: ask }
        : { kind: canRetry ? ('retry' as const) : ('none' as const) },
    elicitationReply: null,
  };
  return dispatch(ports, toolCall, call.name, call.arguments);
}

function progressLate(takeUp: TakeUp): NonNullable<ReturnType<typeof progressOf>> {
  return (progress, total, message) => {
    void takeUp().then(context => progressOf(context)?.(progress, total, message));
  };
}

function askingLate(elicit: Elicit, takeUp: TakeUp): Elicit {
  return (form, signal) =>
    new Promise(resolve => {
      const onAbort = (): void => resolve({ kind: 'ended' });
      signal.addEventListener('abort', onAbort, { once: true });
      if (signal.aborted) onAbort();
      void takeUp()
        .then(() => elicit(form, signal))
        .then(elicited => {
          signal.removeEventListener('abort', onAbort);
          resolve(elicited);
        });
    });
}

/** The member of `_meta` that each result has in the modern revision, as JSON. */
export function identityMember(identity: ServerIdentity): string {
  return `${JSON.stringify(SERVER_INFO_META_KEY)}:${JSON.stringify(identity)}`;
}

/**
 * The whole message, as the SDK prints it.
 * @param identity its member; null for the 2025 revisions.
 */
export function printedAnswer(
  { structuredContent, text, meta }: ToolSuccess,
  id: PlainCall['id'],
  identity: string | null,
): string {
  const content = jsonOfContent(structuredContent);
  const shown = `"content":[{"type":"text","text":${JSON.stringify(text ?? content)}}],"structuredContent":${content}`;
  const first = meta === null ? '' : `"_meta":${withMember(JSON.stringify(meta), identity)},`;
  const kind = identity === null ? '' : ',"resultType":"complete"';
  const last = meta === null && identity !== null ? `,"_meta":{${identity}}` : '';
  return `{"result":{${first}${shown}${kind}${last}},"jsonrpc":"2.0","id":${JSON.stringify(id)}}`;
}

function withMember(object: string, member: string | null): string {
  if (member === null) return object;
  return object === '{}' ? `{${member}}` : `${object.slice(0, -1)},${member}}`;
}
