/**
 * Reads a server's greeting (MySQL: `Protocol::HandshakeV10`; MariaDB: "Initial Handshake Packet").
 * Decides nothing.
 */

import { PacketReader, readError, type ServerError } from './answer-packets.ts';
import { ProtocolViolation } from './packets.ts';

/** Capability flags, as both sides announce them. */
export const capability = {
  /** MySQL's `LONG_PASSWORD`. MariaDB leaves it out, and has flags of its own in reserved bytes. */
  mysql: 0x1,
  longFlag: 0x4,
  withDatabase: 0x8,
  protocol41: 0x200,
  tls: 0x800,
  transactions: 0x2000,
  secureConnection: 0x8000,
  multiResults: 0x20000,
  pluginAuthentication: 0x80000,
  attributes: 0x100000,
  lengthEncodedAuthentication: 0x200000,
} as const;

/** Flags in MariaDB's own four bytes. */
export const mariadbCapability = { extendedMetadata: 0x8 } as const;

export interface Greeting {
  readonly kind: 'greeting';
  readonly serverVersion: string;
  /** The server's id of this connection, for `KILL`. */
  readonly connectionId: number;
  readonly capabilities: number;
  readonly mariadbCapabilities: number;
  /** 20 bytes. */
  readonly scramble: Buffer;
  /** The server's usual method; an account may have another. */
  readonly method: string;
}

/** @throws ProtocolViolation */
export function readGreeting(packet: Buffer): Greeting | ServerError {
  if (packet[0] === 0xff) return readError(packet);
  const reader = new PacketReader(packet);
  if (reader.integer(1) !== 10) throw new ProtocolViolation('its greeting has another version');
  const serverVersion = reader.terminated();
  const connectionId = reader.integer(4);
  const scramble = reader.bytes(8);
  reader.integer(1);
  const lower = reader.integer(2);
  reader.bytes(3);
  const capabilities = lower + reader.integer(2) * 0x10000;
  for (const needed of [capability.protocol41, capability.secureConnection]) {
    if ((capabilities & needed) === 0) throw new ProtocolViolation('it is older than MySQL 4.1');
  }
  reader.bytes(7);
  const reserved = reader.integer(4);
  const rest = reader.bytes(12);
  if (reader.left > 0) reader.integer(1);
  return {
    kind: 'greeting',
    serverVersion,
    connectionId,
    capabilities,
    mariadbCapabilities: (capabilities & capability.mysql) === 0 ? reserved : 0,
    scramble: Buffer.concat([scramble, rest]),
    method: (capabilities & capability.pluginAuthentication) === 0 ? 'mysql_native_password' : reader.terminated(),
  };
}
