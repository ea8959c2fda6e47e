/** The few protocol messages this adapter writes and reads once a session stands (PostgreSQL manual, 55.7). No socket. */

import type { Parameter } from '../../query/database.ts';
import type { ServerError } from './failure.ts';

export interface Field {
  readonly name: string;
  readonly typeOid: number;
  readonly typeModifier: number;
}

function message(code: string, ...parts: readonly Buffer[]): Buffer {
  const head = Buffer.alloc(5);
  head.write(code, 0, 'latin1');
  head.writeInt32BE(
    parts.reduce((total, part) => total + part.length, 4),
    1,
  );
  return Buffer.concat([head, ...parts]);
}

/** NUL would end the text early for the server and let it read the rest as the next message, so callers refuse it first. */
function text(value: string): Buffer {
  return Buffer.from(`${value.replaceAll('\0', '')}\0`, 'utf8');
}

function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

const nothing = Buffer.alloc(0);
export const syncMessage = message('S');
export const flushMessage = message('H');
export const terminateMessage = message('X');

/** Simple protocol, for our own constant texts only: it would run several statements. */
export function queryMessage(sql: string): Buffer {
  return message('Q', text(sql));
}

function boundValue(value: Parameter): Buffer {
  if (value === null) return int32(-1);
  const bytes = Buffer.from(String(value), 'utf8');
  return Buffer.concat([int32(bytes.length), bytes]);
}

/** Parse, Bind, Describe (where asked) and Execute of one statement, values and results as text, all rows wanted. */
export function statementMessages(sql: string, parameters: readonly Parameter[], describe: boolean): Buffer {
  return Buffer.concat([
    message('P', text(''), text(sql), int16(0)),
    message('B', text(''), text(''), int16(0), int16(parameters.length), ...parameters.map(boundValue), int16(0)),
    describe ? message('D', Buffer.from('P\0', 'latin1')) : nothing,
    message('E', text(''), int32(0)),
  ]);
}

/** The terminated string at `start`, and where the next field begins. Throws where the terminator is missing. */
function readText(body: Buffer, start: number): { readonly value: string; readonly next: number } {
  const end = body.indexOf(0, start);
  if (end < 0) throw new RangeError('a text has no end');
  return { value: body.toString('utf8', start, end), next: end + 1 };
}

export function readTag(body: Buffer): string {
  return readText(body, 0).value;
}

/** Throws a RangeError where the body is shorter than it claims. */
export function readRowDescription(body: Buffer): readonly Field[] {
  const fields: Field[] = [];
  const count = body.readUInt16BE(0);
  let offset = 2;
  for (let index = 0; index < count; index += 1) {
    const name = readText(body, offset);
    fields.push({
      name: name.value,
      typeOid: body.readUInt32BE(name.next + 6),
      typeModifier: body.readInt32BE(name.next + 12),
    });
    offset = name.next + 18;
  }
  return fields;
}

/** Whether the fields of an ErrorResponse end where its body does. */
export function isWholeError(body: Buffer): boolean {
  let offset = 0;
  while (offset < body.length && body[offset] !== 0) {
    const end = body.indexOf(0, offset + 1);
    if (end < 0) return false;
    offset = end + 1;
  }
  return offset === body.length - 1;
}

export function readError(body: Buffer): ServerError {
  const fields = new Map<number, string>();
  let offset = 0;
  while (offset < body.length && body[offset] !== 0) {
    const field = readText(body, offset + 1);
    fields.set(body.readUInt8(offset), field.value);
    offset = field.next;
  }
  const get = (letter: string) => fields.get(letter.charCodeAt(0)) ?? null;
  return {
    severity: get('V') ?? get('S') ?? '',
    sqlState: get('C'),
    message: get('M') ?? 'The server gave no reason.',
    detail: get('D'),
    hint: get('H'),
    position: get('P'),
  };
}
