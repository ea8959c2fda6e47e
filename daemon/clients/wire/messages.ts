/**
 * PostgreSQL's messages as bytes (manual, 55.7): cuts what a side sends into whole messages, and
 * makes those that we send. No socket.
 */

import { isAscii } from 'node:buffer';

export const letter = (message: Buffer): string => String.fromCharCode(message[0] ?? 0);

/** A letter and the length, which counts itself. */
export const headerBytes = 5;
const leastLength = 4;

export class MalformedMessage extends Error {}

/** Collects bytes until a message is whole. */
export class MessageReader {
  readonly #most: number;
  #chunks: Buffer[] = [];
  /** Where the next message begins in the first chunk. */
  #at = 0;
  #bytes = 0;

  /** @param most bytes of a message. */
  constructor(most: number) {
    this.#most = most;
  }

  get waiting(): number {
    return this.#bytes;
  }

  add(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
  }

  /** @returns null if none is whole yet. @throws MalformedMessage */
  next(): Buffer | null {
    return this.#take(1);
  }

  /** A start-up packet has no letter. */
  nextStartUp(): Buffer | null {
    return this.#take(0);
  }

  /** Everything that was added and is no part of a message yet. */
  rest(): Buffer {
    const rest = Buffer.concat(this.#chunks).subarray(this.#at);
    this.#chunks = [];
    this.#at = 0;
    this.#bytes = 0;
    return rest;
  }

  #take(prefix: 0 | 1): Buffer | null {
    if (this.#bytes < prefix + 4) return null;
    const length = this.#joined(prefix + 4).readInt32BE(this.#at + prefix);
    if (length < leastLength + (prefix === 0 ? 4 : 0) || length > this.#most)
      throw new MalformedMessage(`a message of ${length} bytes`);
    const whole = prefix + length;
    if (this.#bytes < whole) return null;
    const chunk = this.#joined(whole);
    const from = this.#at;
    this.#at += whole;
    this.#bytes -= whole;
    if (this.#at === chunk.length) {
      this.#chunks.shift();
      this.#at = 0;
    }
    return chunk.subarray(from, from + whole);
  }

  /** The first chunk, made to hold at least so much from the next message's beginning on. */
  #joined(least: number): Buffer {
    const [first] = this.#chunks;
    if (first !== undefined && first.length - this.#at >= least) return first;
    const all = Buffer.concat(this.#chunks).subarray(this.#at);
    this.#chunks = [all];
    this.#at = 0;
    return all;
  }
}

export function message(type: string, ...parts: readonly (Buffer | string)[]): Buffer {
  let bytes = headerBytes;
  for (const part of parts) bytes += typeof part === 'string' ? Buffer.byteLength(part) + 1 : part.length;
  const whole = Buffer.allocUnsafe(bytes);
  whole.write(type, 0, 'latin1');
  whole.writeInt32BE(bytes - 1, 1);
  let at = headerBytes;
  for (const part of parts) {
    if (typeof part !== 'string') at += part.copy(whole, at);
    else {
      at += whole.write(part, at);
      at = whole.writeUInt8(0, at);
    }
  }
  return whole;
}

export function int32(...numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * numbers.length);
  for (const [at, number] of numbers.entries()) bytes.writeInt32BE(number, 4 * at);
  return bytes;
}

const noParameters = Buffer.alloc(2);
const noFormats = Buffer.alloc(2);

export const parse = (name: string, sql: string, types: Buffer = noParameters): Buffer =>
  message('P', name, sql, types);
/** @param values as text. */
export function bind(statement: string, values: readonly string[] = [], portal = ''): Buffer {
  const count = Buffer.alloc(2);
  count.writeInt16BE(values.length);
  const bound = values.flatMap(value => {
    const bytes = Buffer.from(value);
    return [int32(bytes.length), bytes];
  });
  return message('B', portal, statement, noFormats, count, ...bound, noFormats);
}
export const describePortal = message('D', Buffer.from('P\0'));
export const execute = message('E', '', int32(0));
export const sync = message('S');
export const flush = message('H');
export const authenticationOk = message('R', int32(0));
const readies = new Map([...'ITE'].map(status => [status, message('Z', Buffer.from(status))]));
export const ready = (status: string): Buffer => readies.get(status) ?? message('Z', Buffer.from(status));
export const parameterStatus = (name: string, value: string): Buffer => message('S', name, value);

export interface SqlError {
  /** SQLSTATE. */
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
}

export function errorResponse({ code, message: text, hint }: SqlError, severity: 'ERROR' | 'FATAL' = 'ERROR'): Buffer {
  const fields = [`S${severity}`, `V${severity}`, `C${code}`, `M${text}`, ...(hint === undefined ? [] : [`H${hint}`])];
  return message('E', ...fields.map(field => field.replaceAll('\0', ' ')), Buffer.alloc(1));
}

/** @param field `C` for the SQLSTATE, `M` for the message; '' if it is missing. */
export function fieldOf(response: Buffer, field: string): string {
  const fields = response.toString('utf8', headerBytes).split('\0');
  return fields.find(text => text.startsWith(field))?.slice(1) ?? '';
}

/** @returns the text up to a NUL, and where the next begins. @throws MalformedMessage */
export function textAt(bytes: Buffer, from: number): { readonly text: string; readonly next: number } {
  const end = bytes.indexOf(0, from);
  if (end === -1) throw new MalformedMessage('a text without an end');
  const isShort = end - from <= shortBytes && isAscii(bytes.subarray(from, end));
  const text = isShort ? bytes.toString('latin1', from, end) : utf8.decode(bytes.subarray(from, end));
  return { text, next: end + 1 };
}

/** Names are mostly empty or short, and a decoder takes longer to begin than to read them. */
const shortBytes = 256;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Columns of a DataRow in text; null for NULL. */
export function columnsOf(row: Buffer): (string | null)[] {
  const columns: (string | null)[] = [];
  let at = headerBytes + 2;
  for (let left = row.readInt16BE(headerBytes); left > 0; left--) {
    const length = row.readInt32BE(at);
    at += 4;
    columns.push(length === -1 ? null : row.toString('utf8', at, at + length));
    at += Math.max(0, length);
  }
  return columns;
}
