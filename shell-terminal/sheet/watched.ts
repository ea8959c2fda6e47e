/** What a window left open knows (spec §12): the daemon's state, the questions that wait, how others ended. Pure: each change gives a new one. */

import type { ApprovalView, ApprovalWithdrawn, EngineWord } from '../../shared/control-commands.ts';
import { shownName } from '../../shared/shown-text.ts';

export interface WatchedQuestion {
  readonly question: ApprovalView;
  /** Null while it isn't known. */
  readonly engine: EngineWord | null;
}

export interface Watched {
  /** A sentence on what it answers for, and whether it does now. */
  readonly link:
    | { readonly kind: 'attached'; readonly server: string }
    | { readonly kind: 'lost'; readonly problem: string; readonly atMilliseconds: number };
  /** The one that came first is the one that is shown. */
  readonly questions: readonly WatchedQuestion[];
  /** Newest first. */
  readonly news: readonly News[];
}

interface News {
  readonly atMilliseconds: number;
  /** Escaped. */
  readonly sentence: string;
}

/** As many as a tall window has room for. */
const newsKept = 40;

export const nothingWatched: Watched = { link: { kind: 'attached', server: '' }, questions: [], news: [] };

/** @param server what it answers for. @param open all that is open at that moment. */
export function attached(
  watched: Watched,
  server: string,
  open: readonly ApprovalView[],
  atMilliseconds: number,
): Watched {
  const known = new Map(watched.questions.map(entry => [entry.question.id, entry]));
  const questions = open.map(question => known.get(question.id) ?? { question, engine: null });
  const now: Watched = { ...watched, link: { kind: 'attached', server }, questions };
  return watched.link.kind === 'lost' ? told(now, 'Sallyport runs again', atMilliseconds) : now;
}

/** Its questions end with the daemon: each was a request to it. */
export function lost(watched: Watched, problem: string, atMilliseconds: number): Watched {
  if (watched.link.kind === 'lost') return { ...watched, link: { ...watched.link, problem } };
  const gone: Watched = { ...watched, link: { kind: 'lost', problem, atMilliseconds }, questions: [] };
  return watched.questions.reduce(
    (before, { question }) => told(before, `Gone with it: ${aboutQuestion(question)}`, atMilliseconds),
    told(gone, 'Sallyport stopped', atMilliseconds),
  );
}

/** Each is shown once, however often it is told of. */
export function asked(watched: Watched, question: ApprovalView): Watched {
  if (watched.questions.some(entry => entry.question.id === question.id)) return watched;
  return { ...watched, questions: [...watched.questions, { question, engine: null }] };
}

export function engineKnown(watched: Watched, connectionId: string, engine: EngineWord): Watched {
  const questions = watched.questions.map(entry =>
    entry.question.connection.id === connectionId ? { ...entry, engine } : entry,
  );
  return { ...watched, questions };
}

const endings: Readonly<Record<ApprovalWithdrawn['because'], string>> = {
  yes: 'Approved elsewhere',
  no: 'Denied elsewhere',
  timeout: 'Out of time',
  cancelled: 'Withdrawn by its client',
};

/** @param where whether it is this window's own answer that ended it. */
export function withdrawn(
  watched: Watched,
  { id, because }: ApprovalWithdrawn,
  where: 'here' | 'elsewhere',
  atMilliseconds: number,
): Watched {
  const ended = watched.questions.find(({ question }) => question.id === id);
  if (ended === undefined) return watched;
  const own = because === 'yes' ? 'You approved' : 'You denied';
  const sentence = `${where === 'here' ? own : endings[because]}: ${aboutQuestion(ended.question)}`;
  const questions = watched.questions.filter(entry => entry !== ended);
  return told({ ...watched, questions }, sentence, atMilliseconds);
}

/** @param sentence escaped. */
export function told(watched: Watched, sentence: string, atMilliseconds: number): Watched {
  return { ...watched, news: [{ atMilliseconds, sentence }, ...watched.news].slice(0, newsKept) };
}

/** What is ours stands first: names are cut off, never what they are names in. */
export function aboutQuestion({ kind, connection, client }: ApprovalView): string {
  const what = {
    destructive_statement: 'a destructive statement',
    stop_server_session: 'the end of a session',
    first_use: 'first use',
  }[kind];
  return `${what} on ${shownName(connection.name)}, for ${shownName(client)}`;
}
