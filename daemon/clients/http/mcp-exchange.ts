/**
 * One message that passed the gate and was read, with everything that its answer may need, and how
 * its answer is made.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Principal } from '../../access/tokens/token.ts';
import type { McpCaller } from '../mcp/server.ts';
import type { HttpRefusal } from './refuse.ts';
import type { RequestInFlight } from './requests-in-flight.ts';

export interface McpExchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly principal: Principal;
  readonly body: Record<string, unknown>;
  readonly inFlight: RequestInFlight;
  readonly clock: McpCaller['clock'];
  /** Called with the client's name and revision, once known. */
  readonly saw: (client: string | null, protocol: string | null) => void;
}

/**
 * Makes the answer from the SDK's request object, which is too costly for a call that can do
 * without.
 */
export type AnswerMaker = (request: Request) => Promise<Response | HttpRefusal>;
