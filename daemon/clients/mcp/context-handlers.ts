/** Resources, prompts and completion (spec §9), for the server that answers one such request. */

import type { Server, ServerContext } from '@modelcontextprotocol/server';
import { complete } from './completion.ts';
import type { DispatchPorts, IncomingCall } from './dispatch.ts';
import { getPrompt, promptList } from './prompts.ts';
import { malformedCursor } from './refusal-words.ts';
import { resourceTemplates } from './resources/address.ts';
import { lookUps } from './resources/look-ups.ts';
import { resources } from './resources/resources.ts';
import type { Tool } from './tool.ts';
import type { ToolPorts } from './tools/tool-ports.ts';

export type ContextHandlers = (
  server: Server,
  method: string,
  callOf: (context: ServerContext) => IncomingCall,
) => void;

export function contextHandlers(ports: DispatchPorts, toolPorts: ToolPorts, tools: readonly Tool[]): ContextHandlers {
  const reads = lookUps(ports, toolPorts, tools);
  const ours = resources(toolPorts, reads);
  return (server, method, callOf) => {
    switch (method) {
      case 'resources/list':
        server.setRequestHandler(method, ({ params }, context) => ours.list(callOf(context), params?.cursor));
        break;
      case 'resources/templates/list':
        server.setRequestHandler(method, ({ params }) => {
          refuseCursor(params?.cursor);
          return { resourceTemplates };
        });
        break;
      case 'resources/read':
        server.setRequestHandler(method, ({ params }, context) => ours.read(callOf(context), params.uri));
        break;
      case 'prompts/list':
        server.setRequestHandler(method, ({ params }) => {
          refuseCursor(params?.cursor);
          return { prompts: promptList };
        });
        break;
      case 'prompts/get':
        server.setRequestHandler(method, ({ params }, context) =>
          getPrompt(reads, callOf(context), params.name, params.arguments ?? {}),
        );
        break;
      case 'completion/complete':
        server.setRequestHandler(method, ({ params }, context) => {
          const { ref, argument, context: beside } = params;
          return complete(toolPorts, callOf(context), { ref, argument, chosen: beside?.arguments ?? {} });
        });
        break;
    }
  };
}

/** The whole list is one page, so no cursor can be ours. */
function refuseCursor(cursor: string | undefined): void {
  if (cursor !== undefined) throw malformedCursor();
}
