/**
 * The framing of the MySQL protocol: splits the server's bytes into packets and builds ours,
 * without knowing what a packet means. Never collects a packet, so a long announced length costs no
 * memory.
 */

/** The server broke the protocol; the connection is useless now. */
export class ProtocolViolation extends Error {}

/**
 * The longest payload of a packet; a payload of exactly this length continues in the next packet.
 */
const longestPayload = 0xffffff;

export interface PayloadSink {
  /**
   * Bytes `start` to `end` of `chunk` are the next piece of a payload.
   * @param announced the payload's length in its first header; `longestPayload` means at least that
   * @returns false to stop reading
   */
  piece(chunk: Buffer, start: number, end: number, announced: number, first: boolean, last: boolean): boolean;
}

export class PacketSplitter {
  #header = Buffer.alloc(4);
  #headerBytes = 0;
  #remaining = 0;
  #continues = false;
  #announced = 0;
  #started = false;
  #sequence = 0;

  /** The next packet must have this sequence number; otherwise the two sides are out of step. */
  expect(sequence: number): void {
    this.#sequence = sequence & 0xff;
  }

  /** True between packets. */
  get idle(): boolean {
    return this.#headerBytes === 0 && !this.#started;
  }

  /**
   * @throws ProtocolViolation;
   * @returns how many bytes were read; fewer than all once the sink wants no more.
   */
  push(chunk: Buffer, sink: PayloadSink): number {
    let at = 0;
    while (at < chunk.length) {
      if (this.#headerBytes < 4) {
        this.#header[this.#headerBytes++] = chunk[at++] ?? 0;
        if (this.#headerBytes < 4) continue;
        this.#openPacket();
        if (this.#remaining > 0) continue;
      }
      const end = Math.min(chunk.length, at + this.#remaining);
      this.#remaining -= end - at;
      const last = this.#remaining === 0 && !this.#continues;
      const first = !this.#started;
      this.#started = !last;
      if (this.#remaining === 0) this.#headerBytes = 0;
      const start = at;
      at = end;
      if (!sink.piece(chunk, start, end, this.#announced, first, last)) break;
    }
    return at;
  }

  #openPacket(): void {
    this.#remaining = this.#header.readUIntLE(0, 3);
    if (this.#header[3] !== this.#sequence) throw new ProtocolViolation('a packet arrived out of order');
    this.#sequence = (this.#sequence + 1) & 0xff;
    this.#continues = this.#remaining === longestPayload;
    if (!this.#started) this.#announced = this.#remaining;
  }
}

/** A packet: its payload, shorter than 16 MiB, behind its header. */
export function framed(sequence: number, payload: Buffer): Buffer {
  const header = Buffer.alloc(4);
  header.writeUIntLE(payload.length, 0, 3);
  header[3] = sequence & 0xff;
  return Buffer.concat([header, payload]);
}

/**
 * One command, split if it is longer than a packet.
 * @returns the bytes and the number of packets.
 */
export function commandPackets(command: number, body: Buffer): { readonly bytes: Buffer; readonly count: number } {
  const payload = Buffer.concat([Buffer.from([command]), body]);
  const parts: Buffer[] = [];
  for (let at = 0, count = 0; ; at += longestPayload, count += 1) {
    const part = payload.subarray(at, at + longestPayload);
    parts.push(framed(count, part));
    if (part.length < longestPayload) return { bytes: Buffer.concat(parts), count: count + 1 };
  }
}
