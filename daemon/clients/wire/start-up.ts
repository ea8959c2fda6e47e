/**
 * Reads what a program says before its first statement (manual, 55.2.1). Of its settings only those
 * on the guard's list pass, each by its name.
 */

import { settingProblem, settingValue } from '../../guard/postgres/wire/session-settings.ts';
import { int32, message, type SqlError, textAt } from './messages.ts';

export type StartUp =
  /** TLS or GSSAPI is asked for: neither is here, and the program goes on or leaves. */
  | { readonly kind: 'encryption' }
  | { readonly kind: 'cancel'; readonly key: Buffer }
  | { readonly kind: 'refused'; readonly error: SqlError }
  | {
      readonly kind: 'session';
      readonly user: string;
      /** Null if none is named. */
      readonly database: string | null;
      readonly application: string | null;
      readonly settings: readonly (readonly [name: string, value: string])[];
      /** What the program is told of its protocol, if it asks for more than there is. */
      readonly negotiation: Buffer | null;
    };

/** 3.0, as major and minor. libpq takes no other form of it, whatever the manual's words. */
const protocolVersion = 196_608;
const cancelCode = 80_877_102;
const encryptionCodes = new Set([80_877_103, 80_877_104]);

/** @param packet whole. @throws MalformedMessage */
export function readStartUp(packet: Buffer): StartUp {
  const code = packet.readInt32BE(4);
  if (encryptionCodes.has(code)) return { kind: 'encryption' };
  if (code === cancelCode) return { kind: 'cancel', key: packet.subarray(8) };
  if (code >> 16 !== 3) return refused('0A000', 'This door speaks version 3 of the protocol.');
  const given = pairsOf(packet.subarray(8));
  if (given === null) return refused('22021', 'A start-up packet holds text in UTF-8, and each name once.');
  const unknown = [...given.keys()].filter(name => name.startsWith('_pq_.'));
  const settings: [string, string][] = [];
  for (const [name, value] of given) {
    if (name === 'user' || name === 'database' || unknown.includes(name)) continue;
    if (name === 'replication' && /^(false|off|no|0)$/i.test(value)) continue;
    const pairs = name === 'options' ? optionsIn(value) : [[name, value] as const];
    for (const [setting, to] of pairs ?? [[name, value] as const]) {
      const problem = settingProblem(setting, to);
      if (problem !== null) return refused('08P01', `The start-up packet is refused: ${problem}.`);
      settings.push([setting.toLowerCase(), settingValue(setting, to.replace(/^'(.*)'$/, '$1'))]);
    }
  }
  const isMore = (code & 0xffff) !== 0 || unknown.length > 0;
  return {
    kind: 'session',
    user: given.get('user') ?? '',
    database: given.get('database') || null,
    application: given.get('application_name') ?? null,
    settings,
    negotiation: isMore ? message('v', int32(protocolVersion, unknown.length), ...unknown) : null,
  };
}

function refused(code: string, text: string): StartUp {
  return { kind: 'refused', error: { code, message: text } };
}

/** Null if a text isn't UTF-8 or a name comes twice: readers differ in which of two counts. */
function pairsOf(bytes: Buffer): ReadonlyMap<string, string> | null {
  const pairs = new Map<string, string>();
  try {
    for (let at = 0; at < bytes.length && bytes[at] !== 0; ) {
      const name = textAt(bytes, at);
      const value = textAt(bytes, name.next);
      if (pairs.has(name.text)) return null;
      pairs.set(name.text, value.text);
      at = value.next;
    }
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
  return pairs;
}

/** `-c name=value --name=value`, as PGOPTIONS has them; null if there is anything else. */
function optionsIn(text: string): readonly (readonly [string, string])[] | null {
  const found: [string, string][] = [];
  const option = /\s*(?:-c\s*|--)([A-Za-z_][A-Za-z_-]*)=((?:[^\s\\]|\\.)*)\s*/y;
  while (option.lastIndex < text.length) {
    const match = option.exec(text);
    if (match === null) return null;
    found.push([(match[1] ?? '').replaceAll('-', '_'), (match[2] ?? '').replace(/\\(.)/g, '$1')]);
  }
  return found;
}
