/**
 * The state of an open window (spec §12): the daemon's state, the waiting questions, how others
 * ended.
 */

import type { ApprovalView, ApprovalWithdrawn } from '../../shared/control-commands.ts';
import type { Engine } from '../../shared/engine.ts';
import { aboutQuestion } from '../shown-question.ts';

/** As many as a tall window can show. */
const newsKept = 40;

const endings: Readonly<Record<ApprovalWithdrawn['because'], string>> = {
  yes: 'Approved elsewhere',
  no: 'Denied elsewhere',
  timeout: 'Out of time',
  cancelled: 'Withdrawn by its client',
};

/** @param now in milliseconds. */
export class Watching {
  /** The daemon it answers for, or why there is none. */
  link:
    | { readonly kind: 'attached'; readonly server: string }
    | { readonly kind: 'lost'; readonly problem: string; readonly atMilliseconds: number } = {
    kind: 'attached',
    server: '',
  };
  /** By id. The oldest one is shown. */
  readonly questions = new Map<string, ApprovalView>();
  /** By connection id, as far as known. */
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

  /** @param server the daemon it answers for. */
  attached(server: string): void {
    if (this.link.kind === 'lost') this.told('Sallyport runs again');
    this.link = { kind: 'attached', server };
  }

  /** Its questions end with the daemon, because each was a request to it. */
  lost(problem: string): void {
    const { link } = this;
    this.link = { kind: 'lost', problem, atMilliseconds: link.kind === 'lost' ? link.atMilliseconds : this.#now() };
    if (link.kind === 'attached') this.told('Sallyport stopped');
    for (const question of this.questions.values()) this.told(`Gone with it: ${aboutQuestion(question)}`);
    this.questions.clear();
  }

  /**
   * Reports each once. @param ending replaces the usual words for a question that ended elsewhere.
   */
  ended({ id, because }: ApprovalWithdrawn, ending = endings[because]): void {
    const question = this.questions.get(id);
    if (question === undefined) return;
    this.questions.delete(id);
    this.told(`${ending}: ${aboutQuestion(question)}`);
  }
}
