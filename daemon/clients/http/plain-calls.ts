/**
 * Answers plain tool calls without the SDK, and hands over to the SDK as soon as anything but the
 * one answer is to be sent. A call without a database takes less than half the processor time this
 * way.
 */

import type { ServerResponse } from 'node:http';
import type { ServerContext } from '@modelcontextprotocol/server';
import { identityMember, type PlainCall, printedAnswer, runPlainCall, type TakeUp } from '../mcp/plain-call.ts';
import { identityOf, type McpCaller, type McpPorts } from '../mcp/server.ts';
import type { Elicit, ToolOutcome } from '../mcp/tool.ts';
import type { AnswerMaker } from './mcp-exchange.ts';

interface Calling {
  readonly call: PlainCall;
  readonly caller: McpCaller;
  readonly signal: AbortSignal;
  readonly outgoing: ServerResponse;
}

/** Answers through the SDK, which first gives its context and then gets the call's outcome. */
type ViaSdk = (request: Request, outcome: (context: ServerContext) => Promise<ToolOutcome>) => Promise<Response>;

/** Each resolves with null if the answer was written. */
export type CallEndpoint = ReturnType<typeof callEndpoint>;

export function callEndpoint(ports: McpPorts) {
  const identity = identityMember(identityOf(ports.version));
  return {
    modern: (calling: Calling, viaSdk: ViaSdk) => answered(calling, { kind: 'modern' }, identity, viaSdk),
    /** @param elicit null if the client can't be asked. */
    legacy: (calling: Calling, elicit: Elicit | null, viaSdk: ViaSdk) =>
      answered(calling, { kind: 'legacy', elicit }, null, viaSdk),
  };

  async function answered(
    { call, caller, signal, outgoing }: Calling,
    era: Parameters<typeof runPlainCall>[5],
    shown: string | null,
    viaSdk: ViaSdk,
  ): Promise<AnswerMaker | null> {
    const { promise: context, resolve: giveContext } = Promise.withResolvers<ServerContext>();
    const { promise: interrupted, resolve: interrupt } = Promise.withResolvers<null>();
    const handOver = (): void => interrupt(null);
    const takeUp: TakeUp = () => {
      handOver();
      return context;
    };
    // The client must learn at once that its call was ended, not when the tool notices.
    signal.addEventListener('abort', handOver, { once: true });
    const running = runPlainCall(ports, caller, call, signal, takeUp, era);
    const outcome = await Promise.race([running, interrupted]);
    signal.removeEventListener('abort', handOver);
    if (outcome?.kind === 'success' && !signal.aborted) {
      write(outgoing, printedAnswer(outcome, call.id, shown));
      return null;
    }
    return request =>
      viaSdk(request, given => {
        giveContext(given);
        return running;
      });
  }
}

/** The same headers as in the SDK's answers. */
function write(outgoing: ServerResponse, body: string): void {
  const length = Buffer.byteLength(body);
  outgoing.writeHead(200, { 'content-type': 'application/json', 'Content-Length': length });
  // For UTF-8, Node would reserve three times as much memory and examine each character again.
  outgoing.end(body, length === body.length ? 'latin1' : 'utf8');
}
