/**
 * The handshake file (spec §2): the daemon's address and the bridge's token. Reads and checks its
 * form. The proof over the control socket decides whom to believe, not this file.
 */

import { isObject, parsedJson } from './json.ts';
import { readPrivateFile } from './private-files.ts';

export interface Handshake {
  readonly version: 1;
  /** The TCP port bound on 127.0.0.1. */
  readonly port: number;
  /** The bridge token, in plain text. */
  readonly token: string;
  readonly pid: number;
  /** UUID of this run of the daemon. */
  readonly instance: string;
  /** MCP revisions, newest first. */
  readonly protocolVersions: readonly string[];
  /** ISO 8601. An expired file is still asked about, not distrusted: `identify` rewrites it. */
  readonly expiresAt: string;
}

export type HandshakeRead =
  | { readonly kind: 'absent' }
  | { readonly kind: 'untrusted'; readonly problem: string }
  | { readonly kind: 'read'; readonly handshake: Handshake };

const maxHandshakeBytes = 16_384;

export function readHandshake(path: string): HandshakeRead {
  const file = readPrivateFile(path, maxHandshakeBytes);
  if (file.kind !== 'read') return file;
  const handshake = parseHandshake(file.text);
  return handshake === null
    ? { kind: 'untrusted', problem: `${path} is not a handshake of version 1` }
    : { kind: 'read', handshake };
}

/** Null for a text that isn't a version 1 handshake; ignores unknown members. */
export function parseHandshake(text: string): Handshake | null {
  const value = parsedJson(text);
  if (!isObject(value) || value.version !== 1) return null;
  const { port, token, pid, instance, protocolVersions, expiresAt } = value;
  if (typeof port !== 'number' || !Number.isInteger(port) || port < 1 || port > 65_535) return null;
  if (typeof token !== 'string' || !/^sp_[A-Za-z0-9_-]{43}$/.test(token)) return null;
  if (typeof pid !== 'number' || !Number.isInteger(pid) || pid < 1) return null;
  if (typeof instance !== 'string' || !/^[0-9a-f-]{36}$/.test(instance)) return null;
  if (typeof expiresAt !== 'string' || Number.isNaN(Date.parse(expiresAt))) return null;
  if (!Array.isArray(protocolVersions) || !protocolVersions.every(version => typeof version === 'string')) return null;
  return { version: 1, port, token, pid, instance, protocolVersions, expiresAt };
}
