/**
 * One program's conversation with PostgreSQL over the wire: its messages are judged one after
 * another and then sent, in transactions of ours that only read. A transaction that the program
 * didn't open ends with its Sync. In place of a refused message the server gets a mark that it
 * can't parse. It then fails by itself, so its state is always the one that the protocol prescribes
 * after an error.
 */

import type { Answer } from '../../engines/engine.ts';
import { withTypes } from '../../guard/postgres/question.ts';
import type { PostgresClassification } from '../../guard/postgres/types.ts';
import type { ClientStatement } from '../../guard/postgres/wire/client-statements.ts';
import type { Answers, Expected } from './answers.ts';
import { KeptObjects } from './kept-objects.ts';
import {
  bind,
  describePortal,
  fieldOf,
  headerBytes,
  int32,
  letter,
  MalformedMessage,
  message,
  parse,
  ready,
  type SqlError,
  sync,
  textAt,
} from './messages.ts';
import { OwnTexts } from './own-texts.ts';
import { plainTypesSql, usersTypes, withoutTypes } from './parameter-types.ts';
import type { Prepared } from './prepared.ts';
import { ReadingTransaction } from './reading-transaction.ts';
import {
  namesAreInUse,
  namesOfOurs,
  noFunctions,
  noTypes,
  notUtf8,
  tooManyKept,
  unjudged,
  unknownStatement,
} from './refusals.ts';

type Does = ClientStatement['does'];

/** How a statement ended, for the log. */
export interface Ended {
  /** What the program was told if it was refused or failed; null if it went well. */
  readonly error: SqlError | null;
  readonly rows: number | null;
}

export interface ConversationPorts {
  readonly send: (...bytes: readonly Buffer[]) => void;
  readonly answers: Answers;
  /** What is in a text, by the classifier's threads. */
  readonly read: (text: string, isQuery: boolean) => Promise<Answer<readonly ClientStatement[]>>;
  /**
   * Judges a statement by the catalog that `ask` reaches.
   * @param by the classification of its text.
   * @param names what decides how the server resolves names now.
   * @returns why it isn't a read, or null.
   */
  readonly judge: (
    by: PostgresClassification,
    names: string,
    ask: (sql: string, parameters: readonly string[]) => Promise<Answer<readonly (readonly unknown[])[]>>,
  ) => Promise<SqlError | null>;
  /** Counts a statement. @returns why there are too many, or null. */
  readonly count: () => SqlError | null;
  /** Records a statement that is sent now. @returns what is told how it ended. */
  readonly begin: (text: string, by: PostgresClassification) => (ended: Ended) => void;
  /** Records a refusal. @param by null if the text was refused before it was classified. */
  readonly refused: (text: string, by: PostgresClassification | null, error: SqlError) => void;
  /** The query that sets a transaction's wall again, before each cycle's first text. */
  readonly wall: string;
}

/** What statements do that need no transaction of ours and take no snapshot. */
const bare: ReadonlySet<Does['kind']> = new Set(['begin', 'end', 'back', 'set', 'alone']);

const namesSql = `SELECT pg_catalog.current_setting('search_path'), CAST(pg_catalog.current_schemas(true) AS pg_catalog.text)`;

export class Conversation {
  readonly #ports: ConversationPorts;
  readonly #answers: Answers;
  readonly #own: OwnTexts;
  readonly #transaction: ReadingTransaction;
  readonly #objects = new KeptObjects();
  /** The server skips everything up to the next Sync. */
  #isFailed = false;
  /** What decides how names are resolved; null if that may have changed. */
  #names: string | null = null;
  #ended: ((status: string) => void) | null = null;
  readonly #begun = new WeakSet<Prepared>();
  /** The transaction's status as the last ReadyForQuery told it: `I`, `T` or `E`. */
  status = 'I';

  constructor(ports: ConversationPorts) {
    this.#ports = ports;
    this.#answers = ports.answers;
    this.#own = new OwnTexts(ports.send, ports.answers);
    this.#transaction = new ReadingTransaction(this.#own, ports.wall);
  }

  /** Called when the server has failed a message (`AnswerEvents` in answers.ts). */
  failed(): void {
    this.#isFailed = true;
    this.#names = null;
  }

  /** Called at each ReadyForQuery. @param status the transaction's: `I`, `T` or `E`. */
  ready(status: string): void {
    const ended = this.#ended;
    this.#ended = null;
    ended?.(status);
  }

  /**
   * Takes one whole message of the program, judges it and sends it or a refusal.
   * @returns false if the program says goodbye.
   * @throws MalformedMessage
   */
  async take(given: Buffer): Promise<boolean> {
    switch (letter(given)) {
      case 'X':
        return false;
      case 'S':
        await this.#sync();
        return true;
      case 'd':
      case 'c':
      case 'f':
        // Data of a COPY from the program. Every such COPY was refused, and after that a server
        // ignores its data, too.
        return true;
    }
    if (this.#isFailed) return true;
    switch (letter(given)) {
      case 'Q':
        await this.#query(given);
        return true;
      case 'P':
        await this.#parse(given);
        return true;
      case 'B':
        await this.#bind(given);
        return true;
      case 'D':
        await this.#describe(given);
        return true;
      case 'E':
        await this.#execute(given);
        return true;
      case 'C':
        this.#close(given);
        return true;
      case 'H':
        this.#ports.send(given);
        return true;
      case 'F':
        this.#refuse('', { text: '', does: { kind: 'pass' } }, noFunctions, 'query');
        await this.#sync();
        return true;
      default:
        throw new MalformedMessage(`a message ${JSON.stringify(letter(given))}`);
    }
  }

  async #query(given: Buffer): Promise<void> {
    const text = this.#textOf(given, headerBytes, given.length);
    if (text === null) this.#refuse('', nothing, notUtf8, 'query');
    const answer = text === null ? null : await this.#ports.read(text, true);
    if (answer !== null && answer.kind !== 'done') this.#refuse('', nothing, unjudged(answer), 'query');
    for (const statement of answer?.kind === 'done' ? answer.value : []) {
      if (this.#isFailed) break;
      const prepared = { text: statement.sql, does: statement.does };
      if (!(await this.#prepare('', prepared, 'query'))) break;
      if (this.#isFailed) break;
      this.#ports.send(parse('', statement.sql));
      this.#expect({ kind: 'parse', whose: 'query' });
      if (!(await this.#open(prepared, 'query')) || this.#isFailed) break;
      this.#ports.send(bind(''), describePortal);
      this.#expect({ kind: 'bind', whose: 'query' });
      this.#expect({ kind: 'describe', whose: 'query' });
      this.#run(prepared, message('E', '', int32(0)), 'query');
    }
    this.#objects.endUnnamed();
    await this.#sync();
  }

  async #parse(given: Buffer): Promise<void> {
    const name = textAt(given, headerBytes);
    const end = given.indexOf(0, name.next);
    const text = this.#textOf(given, name.next, end + 1);
    const types = given.subarray(end + 1);
    if (end === -1 || types.length !== 2 + 4 * types.readUInt16BE(0)) throw new MalformedMessage('a Parse');
    const unfit = this.#own.has(name.text) ? namesOfOurs : text === null ? notUtf8 : null;
    if (unfit !== null || text === null) return this.#refuse(null, nothing, unfit ?? notUtf8, 'client');
    const tooMuch = this.#ports.count() ?? (this.#objects.isFull(text) ? tooManyKept : null);
    if (tooMuch !== null) return this.#refuse(name.text, nothing, tooMuch, 'client');
    const answer = await this.#ports.read(text, false);
    if (answer.kind !== 'done') return this.#refuse(name.text, nothing, unjudged(answer), 'client');
    const [statement = { sql: '', does: { kind: 'pass' } }] = answer.value;
    // Such a statement runs outside our transactions. A parameter of a domain's type would run the
    // domain's check there, which nobody has judged.
    if (bare.has(statement.does.kind) && types.readUInt16BE(0) > 0)
      return this.#refuse(name.text, { text: statement.sql, does: statement.does }, noTypes, 'client');
    const { does, kept } = await this.#typed(statement.does, types);
    const prepared = { text: statement.sql, does };
    if (!(await this.#prepare(name.text, prepared, 'client')) || this.#isFailed) return;
    const done = this.#objects.parse(name.text, prepared);
    this.#ports.send(parse(name.text, statement.sql, kept));
    this.#expect({ kind: 'parse', whose: 'client', done });
  }

  /**
   * Operators, casts and functions for the types of parameters are judged with the text.
   * @returns `kept`: the types that it may have.
   */
  async #typed(does: Does, types: Buffer): Promise<{ readonly does: Does; readonly kept: Buffer }> {
    const users = usersTypes(types);
    if (users.length === 0) return { does, kept: types };
    if (!('by' in does) || does.by === null) return { does, kept: withoutTypes(types, users) };
    this.#ensure();
    const answer = await this.#ask(plainTypesSql, [`{${users}}`]);
    const plain = answer.kind === 'done' ? answer.value : [];
    const known = new Set(plain.map(([oid]) => Number(oid)));
    const named = plain.map(([, schema, type]) => ({ schema: String(schema), name: String(type) }));
    const sought = named.map(type => ({ ...type, path: null, builtIn: false }));
    const by = { ...does.by, question: withTypes(does.by.question, sought) };
    return {
      does: { ...does, by },
      kept: withoutTypes(
        types,
        users.filter(oid => !known.has(oid)),
      ),
    };
  }

  /** @returns false if it was refused. */
  async #prepare(name: string, prepared: Prepared, whose: 'client' | 'query'): Promise<boolean> {
    const { does } = prepared;
    if (does.kind === 'refused') {
      this.#refuse(name, prepared, { code: does.code, message: does.reason }, whose);
      return false;
    }
    if ('name' in does && does.name !== null && this.#own.has(does.name)) {
      this.#refuse(name, prepared, namesOfOurs, whose);
      return false;
    }
    if (!bare.has(does.kind)) this.#ensure();
    const by = 'by' in does ? does.by : null;
    const error = by === null ? null : await this.#judge(by);
    if (error !== null) this.#refuse(name, prepared, error, whose);
    return error === null;
  }

  async #judge(by: PostgresClassification): Promise<SqlError | null> {
    const names = by.question === null ? '' : await this.#namesNow();
    // The server failed our question, and with it all that the program sends before its Sync.
    if (names === null) return null;
    return this.#ports.judge(by, names, (sql, parameters) => this.#ask(sql, parameters));
  }

  async #bind(given: Buffer): Promise<void> {
    const portal = textAt(given, headerBytes);
    const name = textAt(given, portal.next);
    if (this.#own.has(portal.text)) return this.#refuse(null, nothing, namesOfOurs, 'client');
    const prepared = this.#objects.statement(name.text) ?? null;
    const isOpen = prepared !== null && (await this.#open(prepared, 'client'));
    if (this.#isFailed) return;
    // A statement of ours is unknown to the program, too, whatever name it tries.
    if (prepared === null) {
      this.#ports.send(bind(this.#own.nextMark()));
      this.#expect({ kind: 'bind', whose: 'client', refusal: unknownStatement(name.text) });
      return;
    }
    if (!isOpen) return;
    if (!this.#objects.openPortal(portal.text, prepared)) return this.#refuse(null, prepared, tooManyKept, 'client');
    this.#ports.send(given);
    this.#expect({ kind: 'bind', whose: 'client' });
  }

  /**
   * Judges a statement again when it is bound, as it may have been kept for days.
   * @returns false if it was refused.
   */
  async #open(prepared: Prepared, whose: 'client' | 'query'): Promise<boolean> {
    const { does } = prepared;
    const tooMany = this.#ports.count();
    if (tooMany !== null) {
      this.#refuse(null, prepared, tooMany, whose);
      return false;
    }
    if (!bare.has(does.kind)) this.#ensure();
    const executed = does.kind === 'execute' ? await this.#judgeExecuted(does) : null;
    const error = executed ?? (await this.#judgeAgain(does));
    if (error !== null) this.#refuse(null, prepared, error, whose);
    return error === null;
  }

  async #judgeAgain(does: Does): Promise<SqlError | null> {
    const by = 'by' in does ? does.by : null;
    return by === null || by.question === null ? null : this.#judge(by);
  }

  /**
   * EXECUTE may run nothing but a statement that was judged: no COMMIT, and no statement of ours.
   * The statement is judged again, since the server resolves its names anew.
   */
  async #judgeExecuted(does: Extract<Does, { kind: 'execute' }>): Promise<SqlError | null> {
    const known = this.#objects.statement(does.name);
    if (known?.does.kind === 'judged') return this.#judgeAgain(known.does);
    return unknownStatement(does.name);
  }

  async #describe(given: Buffer): Promise<void> {
    const { text: name } = textAt(given, headerBytes + 1);
    const isStatement = given[headerBytes] === statementLetter;
    const prepared = isStatement ? this.#objects.statement(name) : this.#objects.portal(name);
    if (prepared === undefined || !bare.has(prepared.does.kind)) this.#ensure();
    this.#ports.send(given);
    this.#expect({ kind: 'describe', whose: 'client' });
  }

  async #execute(given: Buffer): Promise<void> {
    const { text: portal } = textAt(given, headerBytes);
    const prepared = this.#objects.portal(portal);
    if (this.#own.has(portal)) return this.#refuse(null, nothing, namesOfOurs, 'client');
    if (prepared !== undefined) return this.#run(prepared, given, 'client');
    // A portal that no Bind made is a cursor, whose query was judged.
    this.#ensure();
    this.#ports.send(given);
    this.#expect({ kind: 'execute', whose: 'client' });
  }

  #run(prepared: Prepared, bytes: Buffer, whose: 'client' | 'query'): void {
    const { does, text } = prepared;
    if (!bare.has(does.kind)) this.#ensure();
    if (this.#renamesUnderCursor(prepared)) {
      this.#refuse(null, prepared, namesAreInUse, whose);
      return;
    }
    const by = 'by' in does ? does.by : null;
    // A program may fetch a portal's rows in parts: the later parts are no new statements.
    const ended = by === null || this.#begun.has(prepared) ? null : this.#ports.begin(text, by);
    this.#begun.add(prepared);
    this.#ports.send(bytes);
    const confirmed = this.#afterwards(does);
    this.#expect({
      kind: 'execute',
      whose,
      isMuted: does.kind === 'begin',
      done: tag => {
        confirmed();
        // With a tag the portal has run to its end; without one it was suspended or empty.
        if (tag !== '') this.#objects.closePortalsOf(prepared);
        ended?.({ error: null, rows: rowsOf(tag) });
      },
      failed: error => {
        if (error !== null) ended?.({ error: { code: fieldOf(error, 'C'), message: '' }, rows: null });
      },
    });
  }

  /**
   * True if the statement changes how names are resolved while a portal or cursor is open, which
   * was judged under the present names.
   */
  #renamesUnderCursor(prepared: Prepared): boolean {
    const { does } = prepared;
    if (!('renames' in does && does.renames)) return false;
    return this.#objects.hasOpen(prepared);
  }

  /**
   * Notes what a statement changes as soon as it is sent.
   * @returns a function that notes what it changes once the server has confirmed it.
   */
  #afterwards(does: Does): () => void {
    switch (does.kind) {
      case 'begin':
        return this.#transaction.turns('begins');
      case 'end':
        this.#names = null;
        return this.#transaction.turns(does.chains ? 'chains' : 'ends');
      case 'back':
        // ROLLBACK TO may have taken back what the wall had set.
        this.#transaction.wallIsDue();
        this.#names = null;
        return () => {};
      case 'set':
      case 'config':
        this.#transaction.wallIsDue();
        this.#names = null;
        return () => {};
      case 'declare':
        this.#objects.declare(does.name);
        return () => {};
      case 'close':
        this.#objects.closeCursor(does.name);
        return () => {};
      case 'judged':
        // The functions that it calls may set more than we see.
        if (does.by.calls.length > 0) this.#names = null;
        return () => {};
      case 'prepare':
        return this.#objects.parse(does.name, { text: does.name, does: { kind: 'judged', by: does.by } });
      case 'alone':
        this.#names = null;
        this.#own.forget();
        return () => this.#objects.deallocate(null);
      case 'deallocate': {
        const { name } = does;
        // DEALLOCATE ALL removes our statements, too: none of them may be bound any more.
        if (name === null) this.#own.forget();
        return () => this.#objects.deallocate(name);
      }
      default:
        return () => {};
    }
  }

  #close(given: Buffer): void {
    const { text: name } = textAt(given, headerBytes + 1);
    const isStatement = given[headerBytes] === statementLetter;
    this.#ports.send(this.#own.has(name) ? message('C', Buffer.from('P'), this.#own.nextMark()) : given);
    this.#expect({
      kind: 'close',
      whose: 'client',
      done: () => (isStatement ? this.#objects.deallocate(name) : this.#objects.closePortal(name)),
    });
  }

  #ensure(): void {
    if (!this.#isFailed) this.#transaction.ensure();
  }

  /** Asks a question of ours in the program's session and transaction. */
  async #ask(sql: string, parameters: readonly string[]): Promise<Answer<readonly (readonly unknown[])[]>> {
    return this.#isFailed ? { kind: 'cancelled' } : this.#own.ask(sql, parameters);
  }

  async #namesNow(): Promise<string | null> {
    if (this.#names !== null) return this.#names;
    const answer = await this.#ask(namesSql, []);
    if (answer.kind !== 'done') return null;
    this.#names = JSON.stringify(answer.value);
    return this.#names;
  }

  /**
   * Sends a mark that the server fails, and has the program told the refusal in its place.
   * @param name of the refused Parse; null for a refused Bind, whose statement the server has.
   */
  #refuse(name: string | null, prepared: Prepared, refusal: SqlError, whose: 'client' | 'query'): void {
    if (this.#isFailed) return;
    const { text, does } = prepared;
    this.#ports.refused(text, 'by' in does ? does.by : null, refusal);
    // The mark needs no transaction, since it fails before the server takes a snapshot.
    this.#ports.send(name === null ? bind(this.#own.nextMark()) : parse(name, this.#own.nextMark()));
    this.#expect({ kind: name === null ? 'bind' : 'parse', whose, refusal });
  }

  async #sync(): Promise<void> {
    if (!this.#isFailed) this.#transaction.endOurs();
    let status = await this.#cycle();
    if (this.#transaction.rollBackOurs(status)) status = await this.#cycle();
    if (status === 'I') {
      this.#objects.transactionEnded();
      this.#own.transactionEnded();
    }
    this.#transaction.settle(status);
    this.#objects.cycleEnded();
    this.status = status;
    this.#answers.say(ready(status));
  }

  #cycle(): Promise<string> {
    const status = new Promise<string>(resolve => {
      this.#ended = resolve;
    });
    this.#ports.send(sync);
    this.#expect({ kind: 'sync', whose: 'client' });
    return status.then(ended => {
      this.#isFailed = false;
      this.#transaction.wallIsDue();
      return ended;
    });
  }

  #expect(expected: Expected): void {
    this.#answers.expect(expected);
  }

  /** Null if it isn't UTF-8. @throws MalformedMessage */
  #textOf(given: Buffer, from: number, end: number): string | null {
    try {
      const found = textAt(given, from);
      if (found.next !== end) throw new MalformedMessage('a text with a NUL in it');
      return found.text;
    } catch (error) {
      if (error instanceof TypeError) return null;
      throw error;
    }
  }
}

const statementLetter = 0x53; // 'S'
const nothing: Prepared = { text: '', does: { kind: 'pass' } };

/** The number in a command tag such as `SELECT 3` or `COPY 3`; null if it has none. */
function rowsOf(tag: string): number | null {
  const rows = /^[A-Z ]+ (\d+)$/.exec(tag)?.[1];
  return rows === undefined ? null : Number(rows);
}
