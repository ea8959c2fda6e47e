/**
 * Builds what a client sends first: the request for TLS and the login (MySQL's documentation:
 * `Protocol::SSLRequest`, `Protocol::HandshakeResponse41`). Decides which capabilities we take.
 */

import { capability, type Greeting, mariadbCapability } from './greeting.ts';

/**
 * utf8mb4_general_ci, as the servers' own clients ask for; `SET NAMES` later chooses the server's
 * default.
 */
const collation = 45;

/**
 * None that changes what SQL means, what is counted, or what the server may ask of us: no
 * FOUND_ROWS, IGNORE_SPACE, LOCAL_FILES, MULTI_STATEMENTS, compression or session tracking.
 */
const wanted =
  capability.mysql |
  capability.longFlag |
  capability.withDatabase |
  capability.protocol41 |
  capability.transactions |
  capability.secureConnection |
  capability.multiResults |
  capability.pluginAuthentication |
  capability.attributes |
  capability.lengthEncodedAuthentication;

export interface Login {
  readonly user: string;
  readonly database: string | null;
  readonly program: string;
  readonly method: string;
  /** What the method answers to the greeting's scramble. */
  readonly answer: Buffer;
}

export function tlsRequest(greeting: Greeting): Buffer {
  return start(greeting, flagsFor(greeting, true));
}

export function loginPacket(greeting: Greeting, isTls: boolean, login: Login): Buffer {
  const flags = flagsFor(greeting, isTls);
  const has = (flag: number): boolean => (flags & flag) !== 0;
  const attribute = Buffer.concat([lengthEncoded('program_name'), lengthEncoded(login.program)]);
  return Buffer.concat([
    start(greeting, flags),
    terminated(login.user),
    // One byte is the length in both forms: an answer is shorter than 251 bytes.
    lengthEncoded(login.answer),
    ...(has(capability.withDatabase) ? [terminated(login.database ?? '')] : []),
    ...(has(capability.pluginAuthentication) ? [terminated(login.method)] : []),
    ...(has(capability.attributes) ? [lengthEncoded(attribute)] : []),
  ]);
}

/** The same in both packets: MariaDB believes the first. An empty database is none. */
function flagsFor({ capabilities }: Greeting, isTls: boolean): number {
  return (wanted & capabilities) | (isTls ? capability.tls : 0);
}

function start({ mariadbCapabilities }: Greeting, flags: number): Buffer {
  const packet = Buffer.alloc(32);
  packet.writeUInt32LE(flags >>> 0, 0);
  packet[8] = collation;
  packet.writeUInt32LE(mariadbCapabilities & mariadbCapability.extendedMetadata, 28);
  return packet;
}

function terminated(text: string): Buffer {
  if (text.includes('\0')) throw new Error('a name has a NUL in it');
  return Buffer.from(`${text}\0`);
}

function lengthEncoded(value: string | Buffer): Buffer {
  const bytes = Buffer.from(value);
  if (bytes.length < 251) return Buffer.concat([Buffer.from([bytes.length]), bytes]);
  const length = Buffer.from([0xfc, 0, 0]);
  length.writeUInt16LE(bytes.length, 1);
  return Buffer.concat([length, bytes]);
}
