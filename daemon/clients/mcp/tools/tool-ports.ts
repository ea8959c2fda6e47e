/** What the tools get: the registers and the rules below them. */

import type { HostKeyView } from '../../../../shared/control-commands.ts';
import type { Connection } from '../../../access/connection.ts';
import type { ConnectionRegister } from '../../../access/connection-register.ts';
import type { QuestionContent } from '../../../access/questions/approvals.ts';
import type { AccessRequests } from '../../../access/requests/access-requests.ts';
import {
  type ConnectionResolution,
  type ResolvedConnection,
  resolveConnection,
  visibleConnections,
} from '../../../access/resolve-connection.ts';
import { accountOf, type Principal } from '../../../access/tokens/token.ts';
import type { Taken } from '../../../engines/count/taken.ts';
import type { CallContext } from '../../../engines/engine.ts';
import { type Call, callOf, type StatementInput } from '../../../statement/call.ts';
import type { HeldRows } from '../../../statement/held-rows.ts';
import type { RunPorts } from '../../../statement/run-statement.ts';
import { type ConfirmationPorts, confirmFirstUse } from '../confirmation.ts';
import { answeredAlready, askedFor, circumstancesOf, nobodyAnswered, withKeeping } from '../request-access.ts';
import { refused, type ToolCall } from '../tool.ts';
import { meansOf } from './first-use-means.ts';

export interface ToolPorts extends RunPorts {
  readonly connections: ConnectionRegister;
  /** Wall clock, milliseconds since 1970: timed access is checked at each statement. */
  readonly now: () => number;
  readonly confirmation: ConfirmationPorts;
  readonly accessRequests: AccessRequests<Taken>;
  readonly held: HeldRows;
  /**
   * The unconfirmed host key of an SSH server on the way to a connection, at which it failed last.
   */
  readonly unknownHostKey: (connectionId: string) => HostKeyView | null;
}

/**
 * The connections that a list may show: not one that asks first, before the user's approval (spec
 * §6).
 */
export function usableConnections(
  { connections, confirmation, now }: ToolPorts,
  principal: Principal,
): readonly ResolvedConnection[] {
  return visibleConnections(connections, principal, now()).filter(
    ({ connection, access }) => !access.askFirst || confirmation.firstUses.isAllowed(principal, connection.id),
  );
}

/**
 * The connection that a call names, if this principal may use it now; waits for the user's approval
 * if its policy demands one.
 */
export async function resolveFor(ports: ToolPorts, call: ToolCall, idOrName: string): Promise<ConnectionResolution> {
  const found = await allowedFor(ports, call, idOrName);
  if (found.kind === 'resolved') call.access.markUsed(found.resolved);
  return found;
}

async function allowedFor(ports: ToolPorts, call: ToolCall, idOrName: string): Promise<ConnectionResolution> {
  const { firstUses } = ports.confirmation;
  let allowedId: string | null = null;
  for (;;) {
    // Looked up again after each wait: policy, level or name may have changed.
    const found = resolveConnection(ports.connections, call.principal, idOrName, ports.now());
    if (found.kind === 'refused' || !found.resolved.access.askFirst) return found;
    const { connection, access } = found.resolved;
    const { id } = connection;
    if (id === allowedId || firstUses.isAllowed(call.principal, id)) return found;
    const asked = askedFor(call, 'first_use', found.resolved, null);
    const before = ports.accessRequests.askedBefore(asked, circumstancesOf(found.resolved));
    if (before?.state === 'granted') {
      firstUses.letIn(call.principal, id);
      return found;
    }
    if (before?.state === 'refused') return refused({ kind: 'asked_already', state: 'refused', since: before.askedAt });
    const means = meansOf(access, connection, firstUses.rememberHours(), ports.now());
    const shown = shownConnection(connection);
    const confirmation = await confirmFirstUse(ports.confirmation, call, {
      kind: 'first_use',
      client: call.client,
      connection: shown,
      means,
      statement: null,
    });
    if (confirmation.kind === 'refused') {
      if (!nobodyAnswered(confirmation.refusal)) return confirmation;
      const answered = answeredAlready(before);
      if (answered !== null) return refused(answered);
      const request = await ports.accessRequests.ask(asked, circumstancesOf(found.resolved), {
        connection: shown,
        lacks: 'first_use',
        runsBy: 'client',
        means,
        classified: null,
      });
      return refused(withKeeping(confirmation.refusal, request));
    }
    allowedId = confirmation.kind === 'yes' ? id : null;
  }
}

/** What a person should see of a connection before approving. */
export function shownConnection({ id, name, tags, colour }: Connection): QuestionContent['connection'] {
  return { id, name, tags, colour };
}

/** A statement of this call. @param tool the tool that it is recorded for. */
export function statementOf(
  ports: ToolPorts,
  { principal, client, signal, access, requestId, clock, recorded }: ToolCall,
  tool: string,
  asked: Omit<StatementInput, 'origin' | 'client' | 'signal'>,
): Call {
  const { id, tokenName } = principal;
  const account = accountOf(principal);
  const origin = { tool, principal: id, account, tokenName, requestId, access, clock, recorded };
  return callOf(ports, { ...asked, origin, client, signal });
}

/**
 * The history holds statements that a client wrote. The activity log records such a read anyway.
 */
export const notTheirs: ToolPorts['history'] = { record() {} };

/** A look-up of ours: the default limits its time, not the client. */
export function lookUpContext(
  ports: ToolPorts,
  call: Pick<ToolCall, 'principal' | 'client' | 'signal' | 'clock'>,
  where: { readonly schema?: string | undefined; readonly database?: string | undefined },
): CallContext {
  const timeoutSeconds = ports.limits().defaultSeconds;
  call.clock.allow(timeoutSeconds);
  return {
    principal: call.principal.id,
    client: call.client,
    database: where.database ?? null,
    schema: where.schema ?? null,
    timeoutSeconds,
    clock: call.clock,
    signal: call.signal,
  };
}

/** `_meta` of every answer about a connection (spec §8): which one it was, and the access used. */
export function accessMeta(resolved: ResolvedConnection): Record<string, unknown> {
  const { id, name, timeZone } = resolved.connection;
  const meta: Record<string, unknown> = {
    'app.sallyport/connection': { id, name },
    'app.sallyport/access': accessWords[resolved.access.level],
  };
  if (timeZone !== null) meta['app.sallyport/time_zone'] = timeZone;
  return meta;
}

/** For a program; a model is told only about long times (result-answer.ts). */
export function timeMeta(milliseconds: number): Record<string, unknown> {
  return { 'app.sallyport/execution_time_ms': Math.round(milliseconds * 100) / 100 };
}

export const accessWords = { readOnly: 'read_only', readWrite: 'read_write' } as const;
