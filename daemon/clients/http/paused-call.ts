/**
 * A tool call that a pause refuses (spec §4): its model gets a tool error, as for anything else
 * that the user forbids, in the words that other requests get as an error. Decides nothing.
 */

import type { IncomingMessage } from 'node:http';
import { errorCodes } from '../../../shared/codes.ts';
import { isObject } from '../../../shared/json.ts';
import { stoppedOnItsWay } from '../../statement/waiting-words.ts';
import { toolErrorResult } from '../mcp/answer.ts';
import { jsonIn, readBody } from './body.ts';
import { headerOf } from './header.ts';
import { httpLimits } from './http-limits.ts';
import { isJsonContent } from './json-content.ts';
import { claimsModernEra } from './modern.ts';
import { answerJson, type HttpAnswer, type HttpRefusal, offSentences } from './refuse.ts';

type Pause = 'paused' | 'paused_by_itself';

/** Null if the refusal is no pause. */
export function pauseOf(refusal: HttpRefusal): Pause | null {
  if (refusal.kind !== 'switched_off') return null;
  return refusal.why === 'paused' || refusal.why === 'paused_by_itself' ? refusal.why : null;
}

/**
 * @param mayStay whether a statement of it may have taken effect; null if it had not begun.
 * @returns null if it is no tool call.
 */
export function pausedCallAnswer(
  body: Readonly<Record<string, unknown>>,
  versionHeader: string | null,
  why: Pause,
  mayStay: boolean | null = null,
): HttpAnswer | null {
  const { id, method } = body;
  if (method !== 'tools/call' || (typeof id !== 'string' && typeof id !== 'number')) return null;
  const facts = { kind: 'paused', code: errorCodes.switchedOff };
  const word = mayStay === true ? 'outcome_unknown' : 'denied';
  const remark = mayStay === null ? '' : ` ${stoppedOnItsWay(mayStay)}`;
  const kind = claimsModernEra(body, versionHeader) ? { resultType: 'complete' } : {};
  const result = { ...toolErrorResult(word, offSentences[why] + remark, facts), ...kind };
  return answerJson(200, { jsonrpc: '2.0', id, result }, {});
}

/**
 * The answer to a request whose body is unread.
 * @returns null if it isn't a short one, or no tool call.
 */
export async function pausedCallIn(
  incoming: IncomingMessage,
  bodySeconds: number,
  why: Pause,
): Promise<HttpAnswer | null> {
  const declared = Number(incoming.headers['content-length'] ?? Number.NaN);
  if (!(declared <= httpLimits.judgedLaterBytes) || !isJsonContent(incoming)) {
    return null;
  }
  const read = await readBody(incoming, httpLimits.judgedLaterBytes, bodySeconds);
  const body = read.kind === 'complete' ? jsonIn(read.bytes) : null;
  return isObject(body) ? pausedCallAnswer(body, headerOf(incoming, 'mcp-protocol-version'), why) : null;
}
