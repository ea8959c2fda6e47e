/**
 * Finds the id of a message that is too long to be kept, while its bytes pass: whoever sent it waits for an answer. Clients write the
 * id behind everything else, too. One pass, in which only a name or an id is kept, and no longer than ids are.
 */

import { isUtf8 } from 'node:buffer';
import { parsedJson } from '../../shared/json.ts';

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;
const comma = 0x2c;
const opening = new Set([0x5b, 0x7b]);
const closing = new Set([0x5d, 0x7d]);
const openBrace = 0x7b;
const longestKept = 1_024;

export class IdFinder {
  /** As it stands in the message; null where there is none that can be read. Of several the last, as JSON.parse has it. */
  idText: string | null = null;
  #depth = 0;
  /** False where the message is no object, whose members have no names. */
  #isObject = false;
  #inString = false;
  #isEscaped = false;
  /** The member that is being read at depth 1: its name until the colon, then its value. */
  #kept: number[] = [];
  #name: string | null = null;

  read(bytes: Buffer): void {
    for (let at = 0; at < bytes.length; at++) this.#take(bytes[at] ?? 0);
  }

  #take(byte: number): void {
    if (this.#inString) {
      if (this.#depth === 1) this.#keep(byte);
      if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === backslash) this.#isEscaped = true;
      else if (byte === quote) this.#inString = false;
      return;
    }
    if (closing.has(byte)) {
      if (this.#depth === 1) this.#endMember();
      this.#depth -= 1;
      return;
    }
    if (opening.has(byte)) {
      if (this.#depth === 0) this.#isObject = byte === openBrace;
      // No id is a list or an object.
      if (this.#depth === 1) this.#keep(byte);
      this.#depth += 1;
      return;
    }
    if (this.#depth !== 1) {
      if (byte === quote) this.#inString = true;
    } else if (byte === comma) this.#endMember();
    else if (byte === colon) this.#endName();
    else {
      if (byte === quote) this.#inString = true;
      this.#keep(byte);
    }
  }

  #keep(byte: number): void {
    if (this.#kept.length <= longestKept) this.#kept.push(byte);
  }

  #endName(): void {
    const name = parsedJson(this.#takeKept());
    this.#name = typeof name === 'string' ? name : null;
  }

  #endMember(): void {
    const text = this.#takeKept();
    const name = this.#name;
    this.#name = null;
    if (!this.#isObject || name !== 'id') return;
    const id = parsedJson(text);
    this.idText = typeof id === 'string' || typeof id === 'number' ? text : null;
  }

  #takeKept(): string {
    const bytes = Buffer.from(this.#kept);
    this.#kept = [];
    return bytes.length <= longestKept && isUtf8(bytes) ? bytes.toString().trim() : '';
  }
}
