/**
 * Whose transaction the server is in, and that it only reads: one of ours around what the program
 * sends outside its own, and in each cycle the wall before the program's texts.
 */

import type { OwnTexts } from './own-texts.ts';

type Whose = 'none' | 'ours' | 'client';

export class ReadingTransaction {
  readonly #own: OwnTexts;
  readonly #wall: string;
  /** As it will be once everything sent has run, and as the server has confirmed it. */
  #sent: Whose = 'none';
  #confirmed: Whose = 'none';
  #isWallDue = true;

  constructor(own: OwnTexts, wall: string) {
    this.#own = own;
    this.#wall = wall;
  }

  /** Sends what is due before a text of the program. */
  ensure(): void {
    if (this.#sent === 'none') {
      this.#own.run('BEGIN TRANSACTION READ ONLY', () => {
        this.#confirmed = 'ours';
      });
      this.#sent = 'ours';
      this.#isWallDue = true;
    }
    if (!this.#isWallDue) return;
    this.#isWallDue = false;
    this.#own.run(this.#wall);
  }

  /** What is sent now may take back what the wall has set. */
  wallIsDue(): void {
    this.#isWallDue = true;
  }

  /** The program begins or ends its own. @returns what the server's confirmation does. */
  turns(kind: 'begins' | 'ends' | 'chains'): () => void {
    const next = kind === 'begins' || (kind === 'chains' && this.#sent === 'client') ? 'client' : 'none';
    this.#sent = next;
    this.#isWallDue = true;
    return () => {
      this.#confirmed = next;
    };
  }

  /** One that the program didn't open ends with its Sync. */
  endOurs(): void {
    if (this.#sent !== 'ours') return;
    this.#sent = 'none';
    this.#end('COMMIT');
  }

  /** @returns false if nothing of ours is left in there. */
  rollBackOurs(status: string): boolean {
    if (status === 'I' || this.#confirmed === 'client') return false;
    this.#end('ROLLBACK');
    return true;
  }

  /** @param status that the server has told. */
  settle(status: string): void {
    if (status === 'I') this.#confirmed = 'none';
    this.#sent = this.#confirmed;
  }

  #end(sql: string): void {
    this.#own.run(sql, () => {
      this.#confirmed = 'none';
    });
  }
}
