/**
 * Makes an access request of an unconfirmed SSH host key at which a client's call failed (spec
 * §12). Any tool may meet one, on any connection of its call.
 */

import type { HostKeyView } from '../../../shared/control-commands.ts';
import type { ResolvedConnection } from '../../access/resolve-connection.ts';
import type { Refusal } from '../../refusal.ts';
import { circumstancesOf } from './request-access.ts';
import { refused, type Tool, type ToolCall } from './tool.ts';
import { shownConnection, type ToolPorts } from './tools/tool-ports.ts';

type Ports = Pick<ToolPorts, 'accessRequests' | 'unknownHostKey'>;

export function askingOfHostKeys<Arguments>(ports: Ports, tool: Tool<Arguments>): Tool<Arguments> {
  return {
    ...tool,
    async run(call, args) {
      const outcome = await tool.run(call, args);
      if (outcome.kind !== 'refused') return outcome;
      return refused(await withRequest(ports, call, outcome.refusal));
    },
  };
}

async function withRequest(ports: Ports, call: ToolCall, refusal: Refusal): Promise<Refusal> {
  if (refusal.kind !== 'tool_error' || refusal.word !== 'not_connected') return refusal;
  for (const resolved of call.access.uses()) {
    const hostKey = ports.unknownHostKey(resolved.connection.id);
    if (hostKey !== null) return await asked(ports, call, resolved, hostKey, refusal);
  }
  return refusal;
}

async function asked(
  { accessRequests }: Ports,
  { principal, client }: ToolCall,
  resolved: ResolvedConnection,
  hostKey: HostKeyView,
  refusal: Extract<Refusal, { kind: 'tool_error' }>,
): Promise<Refusal> {
  const { connection } = resolved;
  const wanted = { principal, client, tool: 'host_key', connectionId: connection.id, statement: null, hostKey };
  const circumstances = circumstancesOf(resolved);
  const before = accessRequests.askedBefore(wanted, circumstances);
  if (before?.state === 'refused') return { kind: 'asked_already', state: 'refused', since: before.askedAt };
  const request =
    before?.state === 'waiting'
      ? 'kept'
      : await accessRequests.ask(wanted, circumstances, {
          connection: shownConnection(connection),
          lacks: 'host_key',
          runsBy: 'client',
          classified: null,
          means: meansOf(hostKey),
        });
  return request === 'not kept' ? refusal : { ...refusal, request };
}

function meansOf({ host, type, fingerprint }: HostKeyView): string {
  return `ssh takes ${host} for the server whose ${type} host key is ${fingerprint}, now and later. Compare it with what its administrator says.`;
}
