/**
 * Our own texts in a program's session, beside the program's: kept prepared under names that
 * nobody can guess, and questions to the catalog in the program's transaction.
 */

import { randomBytes } from 'node:crypto';
import type { Answer } from '../../engines/engine.ts';
import type { Answers, Expected } from './answers.ts';
import { bind, columnsOf, flush, int32, message, parse } from './messages.ts';

type Rows = readonly (readonly unknown[])[];

/** A text of ours that the server has prepared. */
interface Kept {
  readonly name: string;
  /** Binds and executes it, in a portal that is its own. */
  readonly run: Buffer;
}

export class OwnTexts {
  readonly #send: (...bytes: readonly Buffer[]) => void;
  readonly #answers: Answers;
  readonly #mark = `sallyport_${randomBytes(12).toString('hex')}`;
  #marks = 0;
  readonly #kept = new Map<string, Kept>();
  /** Those whose portal may still be open there: it lasts as long as the transaction. */
  readonly #open = new Set<Kept>();

  constructor(send: (...bytes: readonly Buffer[]) => void, answers: Answers) {
    this.#send = send;
    this.#answers = answers;
  }

  /** A name of its own, and a text that no server can parse. */
  nextMark(): string {
    this.#marks += 1;
    return `${this.#mark}_${this.#marks}`;
  }

  /** The server shows our names to whoever asks; they are out of reach. */
  has(name: string): boolean {
    return name.startsWith(this.#mark);
  }

  /** Runs a text that the server keeps prepared. */
  run(sql: string, done: () => void = () => {}): void {
    let kept = this.#kept.get(sql);
    if (kept === undefined) {
      const name = this.nextMark();
      kept = { name, run: runOf(name, this.nextMark()) };
      this.#kept.set(sql, kept);
      this.#send(parse(name, sql));
      this.#answers.expect({ kind: 'parse', whose: 'ours', failed: () => void this.#kept.delete(sql) });
    }
    this.#send(this.#open.has(kept) ? runOf(kept.name, this.nextMark()) : kept.run);
    this.#open.add(kept);
    this.#answers.expect(ownBind);
    this.#answers.expect({ kind: 'execute', whose: 'ours', done });
  }

  ask(sql: string, parameters: readonly string[]): Promise<Answer<Rows>> {
    return new Promise(resolve => {
      const failed = (): void => resolve({ kind: 'cancelled' });
      const rows: (readonly unknown[])[] = [];
      const name = this.nextMark();
      this.#send(
        parse(name, sql),
        bind(name, parameters, name),
        message('E', name, int32(0)),
        message('C', Buffer.from('S'), name),
        flush,
      );
      this.#answers.expect({ kind: 'parse', whose: 'ours', failed });
      this.#answers.expect({ kind: 'bind', whose: 'ours', failed });
      this.#answers.expect({
        kind: 'execute',
        whose: 'ours',
        row: row => void rows.push(columnsOf(row)),
        done: () => resolve({ kind: 'done', value: rows }),
        failed,
      });
      this.#answers.expect({ kind: 'close', whose: 'ours' });
    });
  }

  /** The program deallocates everything, ours too. */
  forget(): void {
    this.#kept.clear();
  }

  /** Portals end with their transaction. */
  transactionEnded(): void {
    this.#open.clear();
  }
}

const runOf = (name: string, portal: string): Buffer =>
  Buffer.concat([bind(name, [], portal), message('E', portal, int32(0))]);
const ownBind: Expected = { kind: 'bind', whose: 'ours' };
