/**
 * Finds the id of a message that is too long to keep, because its sender waits for an answer.
 * Clients write the id beside `jsonrpc` and `method`, at the beginning or the end of a message; the
 * middle isn't searched.
 */

import { parsedJson } from '../../shared/json.ts';

const keptBytes = 1_024;
// Each runs once, on at most 1,024 bytes.
const atBeginning =
  /^\s*\{(?:\s*"(?:jsonrpc|method)"\s*:\s*"[^"\\]*"\s*,)*\s*"id"\s*:\s*("(?:[^"\\]|\\.)*"|[-+.\deE]+)\s*[,}]/;
// After a value that isn't an object, everything up to the last brace belongs to the message
// itself.
const atEnd =
  /[{,]\s*"id"\s*:\s*("(?:[^"\\]|\\.)*"|[-+.\deE]+)\s*(?:,\s*"(?:jsonrpc|method)"\s*:\s*"[^"\\]*"\s*)*\}\s*$/;

export class IdFinder {
  #beginning = Buffer.alloc(0);
  #end = Buffer.alloc(0);

  read(bytes: Buffer): void {
    const missing = keptBytes - this.#beginning.length;
    if (missing > 0) this.#beginning = Buffer.concat([this.#beginning, bytes.subarray(0, missing)]);
    this.#end = Buffer.concat([this.#end, bytes.subarray(-keptBytes)]).subarray(-keptBytes);
  }

  /** As written in the message; null if none can be read. */
  get idText(): string | null {
    const [, text = ''] = atEnd.exec(this.#end.toString()) ?? atBeginning.exec(this.#beginning.toString()) ?? [];
    return ['string', 'number'].includes(typeof parsedJson(text)) ? text : null;
  }
}
