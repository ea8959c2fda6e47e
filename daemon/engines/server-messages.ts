/**
 * How many of a database's messages beside a result (notices, warnings) an answer carries: the
 * first few; the rest is counted.
 */

import { beginning } from './shorten.ts';

const mostMessages = 10;
const mostBytes = 2 * 1024;
/** Even at four bytes a character the first message fits. */
const longestMessage = 500;

export class ServerMessages {
  /** How often each message came. */
  readonly #said = new Map<string, number>();
  #bytes = 0;
  #others = 0;
  #isLeast = false;
  #isFull = false;

  /** From then on messages are only counted. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** @param message with the database's own level word, so it can't pass for a warning of ours. */
  add(message: string): void {
    const shown = beginning(message, longestMessage);
    const before = this.#said.get(shown) ?? 0;
    const bytes = before > 0 ? 0 : Buffer.byteLength(shown);
    if (this.#isFull || this.#bytes + bytes > mostBytes) {
      this.#isFull = true;
      this.#others += 1;
      return;
    }
    this.#said.set(shown, before + 1);
    this.#bytes += bytes;
    this.#isFull = this.#said.size === mostMessages;
  }

  /**
   * Counts messages that nobody reads.
   * @param isLeast if there may have been more that the database didn't count
   */
  count(messages: number, isLeast = false): void {
    this.#others += messages;
    this.#isLeast ||= isLeast;
  }

  sentences(): readonly string[] {
    const said = [...this.#said].map(([message, times]) => (times > 1 ? `${message} (${times} times)` : message));
    if (this.#others === 0) return said;
    const others = `${this.#isLeast ? 'at least ' : ''}${this.#others} more`;
    return [...said, `The database said ${others}, which ${this.#others === 1 ? 'is' : 'are'} left out.`];
  }
}
