/**
 * Parses the small packets of an answer: OK, ERR, EOF and column definitions (MySQL protocol 4.1,
 * text result sets). `rows.ts` reads rows.
 */

import { ProtocolViolation } from './packets.ts';

/** The `status` bits that we use. */
export const serverStatus = { inTransaction: 0x0001, moreResults: 0x0008, inReadOnlyTransaction: 0x2000 } as const;

export interface ServerError {
  readonly kind: 'error';
  readonly number: number;
  readonly sqlState: string | null;
  readonly message: string;
}

interface OkPacket {
  readonly affectedRows: number;
  /**
   * The first id given to new rows, or the argument of LAST_INSERT_ID(…); a string beyond 2^53,
   * null for none.
   */
  readonly insertId: number | string | null;
  readonly status: number;
  readonly warnings: number;
}

export interface ColumnDefinition {
  readonly name: string;
  readonly characterSet: number;
  /** Bytes, in the connection's character set. */
  readonly length: number;
  readonly type: number;
  readonly flags: number;
  readonly decimals: number;
  /** MariaDB: `uuid`, `inet6`, `point`; null if the type code says all. */
  readonly extendedType: string | null;
  /** MariaDB: `json`. */
  readonly extendedFormat: string | null;
}

export class PacketReader {
  readonly packet: Buffer;
  at = 0;

  constructor(packet: Buffer) {
    this.packet = packet;
  }

  get left(): number {
    return this.packet.length - this.at;
  }

  integer(bytes: 1 | 2 | 3 | 4): number {
    if (this.left < bytes) throw new ProtocolViolation('a packet ended too early');
    this.at += bytes;
    return this.packet.readUIntLE(this.at - bytes, bytes);
  }

  lengthEncoded(): number {
    const first = this.integer(1);
    if (first < 0xfb) return first;
    if (first === 0xfc) return this.integer(2);
    if (first === 0xfd) return this.integer(3);
    if (first !== 0xfe) throw new ProtocolViolation('a length that is none');
    return this.integer(4) + this.integer(4) * 2 ** 32;
  }

  /** Like `lengthEncoded`, but exact. */
  lengthEncodedExactly(): number | string {
    if (this.packet[this.at] !== 0xfe) return this.lengthEncoded();
    this.integer(1);
    const value = this.bytes(8).readBigUInt64LE();
    return value <= Number.MAX_SAFE_INTEGER ? Number(value) : `${value}`;
  }

  bytes(length: number): Buffer {
    if (length > this.left) throw new ProtocolViolation('a length beyond the end of its packet');
    this.at += length;
    return this.packet.subarray(this.at - length, this.at);
  }

  text(length = this.lengthEncoded()): string {
    return this.bytes(length).toString('utf8');
  }

  /** A text that ends at a NUL, or at the packet's end. */
  terminated(): string {
    const end = this.packet.indexOf(0, this.at);
    const text = this.text((end < 0 ? this.packet.length : end) - this.at);
    if (end >= 0) this.at += 1;
    return text;
  }
}

export function readOk(packet: Buffer): OkPacket {
  const reader = new PacketReader(packet);
  reader.integer(1);
  const affectedRows = reader.lengthEncoded();
  const insertId = reader.lengthEncodedExactly();
  return {
    affectedRows,
    insertId: insertId === 0 ? null : insertId,
    status: reader.integer(2),
    warnings: reader.integer(2),
  };
}

export function readEof(packet: Buffer): { readonly status: number; readonly warnings: number } {
  const reader = new PacketReader(packet);
  reader.integer(1);
  const warnings = reader.integer(2);
  return { warnings, status: reader.integer(2) };
}

export function readError(packet: Buffer): ServerError {
  const reader = new PacketReader(packet);
  reader.integer(1);
  const number = reader.integer(2);
  const hasState = reader.left >= 6 && packet[reader.at] === 0x23;
  const sqlState = hasState ? reader.text(6).slice(1) : null;
  return { kind: 'error', number, sqlState, message: reader.text(reader.left) };
}

export function readColumnCount(packet: Buffer): number {
  const count = new PacketReader(packet).lengthEncoded();
  // Servers allow 4096. A larger count is refused, because it would be kept in memory.
  if (count < 1 || count > 4096) throw new ProtocolViolation('an absurd number of columns');
  return count;
}

export function readColumnDefinition(packet: Buffer): ColumnDefinition {
  const reader = new PacketReader(packet);
  for (let skipped = 0; skipped < 4; skipped += 1) reader.bytes(reader.lengthEncoded());
  const name = reader.text();
  reader.bytes(reader.lengthEncoded());
  const extended = readExtendedMetadata(reader);
  reader.integer(1);
  const characterSet = reader.integer(2);
  const length = reader.integer(4);
  const type = reader.integer(1);
  return { name, characterSet, length, type, flags: reader.integer(2), decimals: reader.integer(1), ...extended };
}

/**
 * A fixed part of 13 bytes follows. What comes before it is MariaDB's block, sent only if
 * negotiated.
 */
function readExtendedMetadata(reader: PacketReader): Pick<ColumnDefinition, 'extendedType' | 'extendedFormat'> {
  let extendedType: string | null = null;
  let extendedFormat: string | null = null;
  if (reader.left > 13) {
    const block = new PacketReader(reader.bytes(reader.lengthEncoded()));
    while (block.left > 0) {
      const kind = block.integer(1);
      const value = block.text();
      if (kind === 0) extendedType = value;
      if (kind === 1) extendedFormat = value;
    }
  }
  return { extendedType, extendedFormat };
}
