/** Asks a read by raw HTTP until neither the owner's pause nor a killed daemon ends it. */

import { setTimeout as pause } from 'node:timers/promises';
import { errorCodes } from '../../shared/codes.ts';
import { type Answer, modern, send } from '../clients/http/wire.ts';
import type { World } from './world.ts';

const mostTries = 60;
const restMilliseconds = 250;

/** @returns what a client reads. */
export async function askedText(world: World, connection: string, sql: string, seconds: number): Promise<string> {
  for (let tries = 1; ; tries += 1) {
    const answer = await askedOnce(world, connection, sql, seconds).catch(() => null);
    if (answer !== null && !isOfPause(answer)) return textOf(answer);
    if (tries === mostTries) return 'no answer';
    await pause(restMilliseconds);
  }
}

/** Rejects if the daemon is killed meanwhile. */
export function askedOnce({ url, token }: World, connection: string, sql: string, seconds: number): Promise<Answer> {
  const args = { connection, sql, timeout_seconds: seconds };
  return send(url, modern(token, 'tools/call', { name: 'execute_query', arguments: args }));
}

export function textOf({ json, text }: Answer): string {
  return json.result?.content?.[0]?.text ?? text;
}

export function isOfPause({ text }: Answer): boolean {
  return text.includes(String(errorCodes.switchedOff));
}
