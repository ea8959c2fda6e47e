/**
 * The head of an HTTP/1.1 response (RFC 9112 §2.1, §4, §5, §6.3): what its body is framed by, and whether its connection goes on.
 * Strict where two readers could take it differently. Reads no bytes.
 */

export type Framing =
  | { readonly kind: 'length'; readonly bytes: number }
  | { readonly kind: 'chunked' }
  | { readonly kind: 'until the end' };

export interface ResponseHead {
  readonly status: number;
  /** Without its parameters, in lower case; empty where there is none. */
  readonly mediaType: string;
  readonly framing: Framing;
  /** How long the connection may be left idle before its next request, in seconds; 0 where it carries none, Infinity where nothing is said. */
  readonly idleSeconds: number;
}

export class MalformedResponse extends Error {
  override readonly name = 'MalformedResponse';
}

/** @throws MalformedResponse */
export function readHead(text: string): ResponseHead {
  const [statusLine = '', ...lines] = text.split('\r\n');
  const status = /^HTTP\/1\.1 ([1-5]\d\d)(?: [\t\x20-\x7e\x80-\xff]*)?$/.exec(statusLine)?.[1];
  if (status === undefined) throw new MalformedResponse('its first line is no HTTP/1.1 status');
  const fields = new Map<string, string>();
  for (const line of lines) {
    const { name, value } = readField(line);
    const earlier = fields.get(name);
    fields.set(name, earlier === undefined ? value : `${earlier}, ${value}`);
  }
  return {
    status: Number(status),
    mediaType: (fields.get('content-type') ?? '').split(';', 1).join('').trim().toLowerCase(),
    framing: framingOf(Number(status), fields),
    idleSeconds: idleSeconds(fields),
  };
}

/**
 * Of a head or a trailer. A name with a space around it, a line that goes on in the next one and a value with a control character,
 * such as half of a line's end, are refused (RFC 9112 §2.2, §5.1, §5.2).
 * @throws MalformedResponse
 */
export function readField(line: string): { readonly name: string; readonly value: string } {
  const [, name, value] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):([\t\x20-\x7e\x80-\xff]*)$/.exec(line) ?? [];
  if (name === undefined || value === undefined) throw new MalformedResponse('one of its header lines is none');
  return { name: name.toLowerCase(), value: withoutBlanks(value) };
}

/** Without the spaces and tabs around it; any other blank is part of the value. */
function withoutBlanks(value: string): string {
  const isBlank = (at: number) => value.charAt(at) === ' ' || value.charAt(at) === '\t';
  let [start, end] = [0, value.length];
  while (start < end && isBlank(start)) start++;
  while (start < end && isBlank(end - 1)) end--;
  return value.slice(start, end);
}

function framingOf(status: number, fields: ReadonlyMap<string, string>): Framing {
  const [coding, length] = [fields.get('transfer-encoding'), fields.get('content-length')];
  if (coding !== undefined) {
    if (length !== undefined || coding.toLowerCase() !== 'chunked')
      throw new MalformedResponse('it does not say plainly where it ends');
  } else if (length !== undefined && !/^\d{1,15}$/.test(length)) {
    throw new MalformedResponse('its length is not a number');
  }
  if (status === 204 || status === 304) return { kind: 'length', bytes: 0 };
  if (coding !== undefined) return { kind: 'chunked' };
  return length === undefined ? { kind: 'until the end' } : { kind: 'length', bytes: Number(length) };
}

function idleSeconds(fields: ReadonlyMap<string, string>): number {
  if (/(?:^|,)\s*close\s*(?:,|$)/i.test(fields.get('connection') ?? '')) return 0;
  const timeout = /(?:^|,)\s*timeout\s*=\s*(\d+)/i.exec(fields.get('keep-alive') ?? '')?.[1];
  return timeout === undefined ? Number.POSITIVE_INFINITY : Number(timeout);
}
