/**
 * One message that passed the gate and was read, with all that its answer may need, and how its
 * answer is made.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Principal } from '../../access/tokens/token.ts';
import type { HttpRefusal } from './refuse.ts';
import type { RequestInFlight } from './requests-in-flight.ts';

export interface McpExchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly principal: Principal;
  readonly body: Record<string, unknown>;
  readonly inFlight: RequestInFlight;
  /** Told who the client says it is, and the revision it speaks, once that is known. */
  readonly saw: (client: string | null, protocol: string | null) => void;
}

/**
 * Makes the answer from the request as the SDK wants it, which costs too much to be made for a call
 * that can do without.
 */
export type AnswerMaker = (request: Request) => Promise<Response | HttpRefusal>;
