/**
 * The id of a message that is too long to be kept: whoever sent it waits for an answer. Clients
 * write it beside `jsonrpc` and `method`, at the beginning of a message or at its end; what stands
 * between is not looked at.
 */

import { parsedJson } from '../../shared/json.ts';

const keptBytes = 1_024;
// Each is asked once, of at most 1,024 bytes.
const atBeginning =
  /^\s*\{(?:\s*"(?:jsonrpc|method)"\s*:\s*"[^"\\]*"\s*,)*\s*"id"\s*:\s*("(?:[^"\\]|\\.)*"|[-+.\deE]+)\s*[,}]/;
// Between a value that is no object and the last brace stand members of the message itself.
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

  /** As it stands in the message; null where there is none that can be read. */
  get idText(): string | null {
    const [, text = ''] = atEnd.exec(this.#end.toString()) ?? atBeginning.exec(this.#beginning.toString()) ?? [];
    return ['string', 'number'].includes(typeof parsedJson(text)) ? text : null;
  }
}
