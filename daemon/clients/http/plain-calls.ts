/**
 * Answers plain tool calls without the SDK, and hands over to it the moment there is something else
 * to send than the one answer. A call that asks no database takes less than half of the processor
 * time so.
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

/**
 * Answers through the SDK, which is given the outcome of the call once it is there, and gives its
 * context before.
 */
type ViaSdk = (request: Request, outcome: (context: ServerContext) => Promise<ToolOutcome>) => Promise<Response>;

/** Each resolves with null where the answer was written. */
export type CallEndpoint = ReturnType<typeof callEndpoint>;

export function callEndpoint(ports: McpPorts) {
  const identity = identityMember(identityOf(ports.version));
  return {
    modern: (calling: Calling, viaSdk: ViaSdk) => answered(calling, { kind: 'modern' }, identity, viaSdk),
    /** @param elicit null where the client can't be asked. */
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
    // The client must hear at once that its call was ended, not when the tool has noticed.
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

/** The headers as the SDK's answers have them. */
function write(outgoing: ServerResponse, body: string): void {
  const length = Buffer.byteLength(body);
  outgoing.writeHead(200, { 'content-type': 'application/json', 'Content-Length': length });
  // Node sets three times as much memory aside for UTF-8, and looks at each character again.
  outgoing.end(body, length === body.length ? 'latin1' : 'utf8');
}
