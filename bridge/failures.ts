/**
 * Every failure that the bridge puts into words itself (spec §15): one sentence on what happened,
 * then what to do. This file writes nothing.
 */

import { errorCodes, modernProtocolVersion } from '../shared/codes.ts';
import { version } from '../shared/version.ts';
import { bridgeLimits } from './bridge-limits.ts';
import { oneLine } from './one-line.ts';

export interface Failure {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

const openIt = 'Open Sallyport, or run `sallyport start`, then try again.';

/**
 * The failure -33009, which means nothing but that the service isn't running (spec §15).
 * @param detail how the attempt to start it ended; null if nothing is known.
 */
export function notRunning(detail: string | null): Failure {
  const because = detail === null ? '' : ` (${detail})`;
  return {
    code: errorCodes.unauthenticated,
    message: `Sallyport is not running and could not be started${because}. ${openIt}`,
  };
}

/**
 * The detail for `notRunning` if the time is over and the started program still runs: macOS checks
 * a new program for 10 to 20 s before its first line.
 */
export function slowStart(platform: NodeJS.Platform): string | null {
  return platform === 'darwin' ? 'it did not answer within 10 s; macOS may still be checking Sallyport' : null;
}

/** @param problem what the proof lacked, without a full stop. */
export function unprovenDaemon(problem: string, handshakePath: string): Failure {
  return {
    code: errorCodes.unauthenticated,
    message: `The local MCP endpoint did not prove it belongs to Sallyport (${problem}). Quit Sallyport, delete ${handshakePath}, then open Sallyport again.`,
  };
}

/** @param problem a sentence on why no daemon in that home can be this user's. */
export function foreignHome(problem: string): Failure {
  return { code: errorCodes.unauthenticated, message: problem };
}

/**
 * A daemon that didn't answer. Silence alone doesn't mean that another program is in its place.
 * @param it what the daemon does instead of answering.
 * @param seconds how long the request waited.
 */
export function busy(it: 'busy' | 'starting', seconds: number): Failure {
  return unsent(
    `Sallyport is ${it}: it did not answer within ${seconds} s, so nothing was sent. Send it again; if it stays so, run \`sallyport doctor\`.`,
  );
}

/** A request that was not sent: its client's own requests took all places of this bridge. */
export function crowded(seconds: number): Failure {
  return unsent(
    `This client has ${bridgeLimits.maxConnections} requests under way, and the turn of this one did not come within ${seconds} s, so it was not sent. Send it again when some of them have been answered.`,
  );
}

function unsent(message: string): Failure {
  return { code: errorCodes.internal, message, data: { reason: 'busy' } };
}

export const switchedOff: Failure = {
  code: errorCodes.switchedOff,
  message:
    "Sallyport's MCP server is switched off. Only the user can switch it on; if it is on, Sallyport's log says why it doesn't serve.",
  data: { reason: 'switched_off' },
};

export function outdated(offered: readonly string[]): Failure {
  const instead = offered.length === 0 ? '' : ` (it speaks ${offered.join(', ')})`;
  return {
    code: errorCodes.unsupportedProtocolVersion,
    message: `This Sallyport build does not speak ${modernProtocolVersion}${instead}. Update Sallyport, then restart it.`,
    data: { supported: offered, requested: modernProtocolVersion },
  };
}

/**
 * Two installs of different age share one home (spec §2), and their control protocols differ too
 * much.
 */
export function incompatible(running: { readonly version: string | null; readonly isOlder: boolean | null }): Failure {
  const daemon = running.version === null ? 'running Sallyport' : `running Sallyport ${running.version}`;
  const bridge = `this bridge ${version}`;
  const code = errorCodes.unsupportedProtocolVersion;
  switch (running.isOlder) {
    case true:
      return { code, message: `The ${daemon} is too old for ${bridge}. Update Sallyport, then restart it.` };
    case false:
      return {
        code,
        message: `T${bridge.slice(1)} is too old for the ${daemon}. Update the install it belongs to, then restart this client.`,
      };
    case null:
      return {
        code,
        message: `The ${daemon} and ${bridge} do not understand each other. Update the older of the two, then restart both.`,
      };
  }
}

/** @param changesNothing true for a request that may be sent again without harm. */
export function connectionLost(changesNothing: boolean): Failure {
  const lost = 'The connection to Sallyport ended before this request was answered';
  return {
    code: errorCodes.internal,
    message: changesNothing
      ? `${lost}. Send it again.`
      : `${lost}, so it may or may not have been carried out. Check before you repeat it.`,
  };
}

export function unforeseen(error: unknown): Failure {
  const what = error instanceof Error ? error.message : String(error);
  return {
    code: errorCodes.internal,
    message: `The bridge met an unexpected error (${what}). Try again, and report it if it happens again.`,
  };
}

export function strangeAnswer(status: number): Failure {
  return {
    code: errorCodes.internal,
    message: `Sallyport answered this request with HTTP ${status} and no message. Try again, and run \`sallyport doctor\` if it happens again.`,
  };
}

export const notJson: Failure = {
  code: errorCodes.parseError,
  message: 'This line is not JSON. Send one JSON-RPC message a line.',
};

export const notUtf8: Failure = {
  code: errorCodes.parseError,
  message: 'This line is not UTF-8, so nothing ran. Send it in UTF-8.',
};

export function tooLong(maxBytes: number): Failure {
  return {
    code: errorCodes.tooLarge,
    message: `A message of more than ${maxBytes} bytes was dropped. Send a smaller one.`,
  };
}

export const batch: Failure = {
  code: errorCodes.invalidRequest,
  message: 'Batches are not part of this protocol. Send one JSON-RPC message a line.',
};

export const notARequest: Failure = {
  code: errorCodes.invalidRequest,
  message: 'This line is not a JSON-RPC 2.0 message. Send an object with jsonrpc, method and, for a request, an id.',
};

export const inexactNumber: Failure = {
  code: errorCodes.invalidRequest,
  message:
    'The id or the progress token of this request is a number that not every program holds exactly, so nothing ran. Use a text or a whole number up to 9007199254740991.',
};

export const unknownMethod: Failure = {
  code: errorCodes.methodNotFound,
  message: 'No method has such a name. Ask for one the protocol defines.',
};

export function unknownLogLevel(levels: readonly string[]): Failure {
  return { code: errorCodes.invalidParams, message: `There is no such log level. Use one of ${levels.join(', ')}.` };
}

/**
 * @param idText the request's id as in its line; null if it has none. Clients refuse an id of null,
 *   so it is left out then.
 */
export function errorLine(idText: string | null, failure: Failure): string {
  const { code, data } = failure;
  const message = oneLine(failure.message);
  const id = idText === null ? '' : `"id":${idText},`;
  return `{"jsonrpc":"2.0",${id}"error":${JSON.stringify({ code, message, data })}}`;
}
