/**
 * What a window left open knows (spec §12): the daemon's state, the questions that wait, how others
 * ended.
 */

import type { ApprovalView, ApprovalWithdrawn } from '../../shared/control-commands.ts';
import type { Engine } from '../../shared/engine.ts';
import { aboutQuestion } from '../shown-question.ts';

/** As many as a tall window has room for. */
const newsKept = 40;

const endings: Readonly<Record<ApprovalWithdrawn['because'], string>> = {
  yes: 'Approved elsewhere',
  no: 'Denied elsewhere',
  timeout: 'Out of time',
  cancelled: 'Withdrawn by its client',
};

/** @param now in milliseconds. */
export class Watching {
  /** What it answers for, or why it answers for nothing. */
  link:
    | { readonly kind: 'attached'; readonly server: string }
    | { readonly kind: 'lost'; readonly problem: string; readonly atMilliseconds: number } = {
    kind: 'attached',
    server: '',
  };
  /** By id. The one that came first is the one that is shown. */
  readonly questions = new Map<string, ApprovalView>();
  /** By the connection's id; of those that are known. */
  readonly engines = new Map<string, Engine>();
  /** Newest first; escaped. */
  news: readonly { readonly atMilliseconds: number; readonly sentence: string }[] = [];
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** @param sentence escaped. */
  told(sentence: string): void {
    this.news = [{ atMilliseconds: this.#now(), sentence }, ...this.news].slice(0, newsKept);
  }

  /** @param server what it answers for. */
  attached(server: string): void {
    if (this.link.kind === 'lost') this.told('Sallyport runs again');
    this.link = { kind: 'attached', server };
  }

  /** Its questions end with the daemon: each was a request to it. */
  lost(problem: string): void {
    const { link } = this;
    this.link = { kind: 'lost', problem, atMilliseconds: link.kind === 'lost' ? link.atMilliseconds : this.#now() };
    if (link.kind === 'attached') this.told('Sallyport stopped');
    for (const question of this.questions.values()) this.told(`Gone with it: ${aboutQuestion(question)}`);
    this.questions.clear();
  }

  /** Each is told of once. @param ending other words than those for one that ended elsewhere. */
  ended({ id, because }: ApprovalWithdrawn, ending = endings[because]): void {
    const question = this.questions.get(id);
    if (question === undefined) return;
    this.questions.delete(id);
    this.told(`${ending}: ${aboutQuestion(question)}`);
  }
}
