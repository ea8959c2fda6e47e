/**
 * `sallyport classify`: what a statement is, by the very code that judges it before it runs (spec
 * §7, §16). By its text alone no daemon is asked; a connection's catalog is the daemon's to ask.
 */

import { once } from 'node:events';
import { lazyClassifiers } from '../../daemon/guard/classifiers.ts';
import type { Classification } from '../../daemon/guard/types.ts';
import { writtenName } from '../../daemon/guard/written-name.ts';
import type { StatementVerdict } from '../../shared/control-commands.ts';
import type { Engine } from '../../shared/engine.ts';
import { parsedJson } from '../../shared/json.ts';
import { shownText } from '../../shared/shown-text.ts';
import { command } from '../command.ts';
import type { ControlClient } from '../control-client.ts';
import { withDaemon } from '../daemon.ts';
import { Ending, exitCodes, failed, misuse } from '../ending.ts';
import { type Line, linesOf } from '../statement-lines.ts';
import { pairs } from '../table.ts';
import { print, remark, styled, type Terminal, widthOf, wrapped } from '../terminal.ts';

type Classify = (sql: string) => StatementVerdict | Promise<StatementVerdict>;

/** More than any statement may have, so that one that is too long is told as such. */
const maxStatementBytes = 200_000;

export const classifyCommand = command(
  {
    words: 'classify',
    arguments: ['ENGINE'],
    about: 'Classify a statement from stdin, and say why',
    details: [
      'Its class is read, write, destructive or forbidden. ENGINE is postgres, mysql,',
      'mariadb or sqlite. Nothing runs; only --connection needs the daemon.',
      'With --json: one JSON string a line in, one { class, reason, tables, calls } a',
      'line out; a line that is no JSON string gets { error }, and the exit code is 1.',
    ],
    options: {
      connection: { type: 'string', value: 'NAME', about: 'let the catalog of a connection decide too' },
    },
  },
  async ({ terminal, arguments: [typed = ''], options, json }) => {
    const engine = engineOf(typed);
    const classify = json ? answerLines : answerOne;
    if (options.connection === undefined) return classify(terminal, await byText(engine));
    const asked = options.connection;
    await withDaemon(terminal, async client => classify(terminal, await byCatalog(client, engine, asked)));
  },
);

const engineWords: Readonly<Record<string, Engine>> = {
  ...{ postgres: 'postgres', postgresql: 'postgres', mysql: 'mysql', mariadb: 'mysql', sqlite: 'sqlite' },
};

function engineOf(typed: string): Engine {
  const engine = Object.hasOwn(engineWords, typed.toLowerCase()) ? engineWords[typed.toLowerCase()] : undefined;
  if (engine !== undefined) return engine;
  throw misuse('ENGINE is one of postgres, mysql, mariadb, sqlite.');
}

async function byText(engine: Engine): Promise<Classify> {
  const classify: (sql: string) => Classification = await lazyClassifiers()[engine]();
  return sql => verdictOf(classify(sql));
}

async function byCatalog(client: ControlClient, engine: Engine, connection: string): Promise<Classify> {
  const found = await client.ask('connections.show', { connection });
  if (found.engine !== engine) {
    throw failed(`${found.name} is a connection to ${found.engine}; say \`sallyport classify ${found.engine}\`.`);
  }
  return sql => client.ask('statements.classify', { connection: found.id, sql });
}

async function answerOne(terminal: Terminal, classify: Classify): Promise<void> {
  const sql = await statementFrom(terminal);
  const verdict = await classify(sql);
  const colour = { read: 'green', write: 'yellow', destructive: 'red', forbidden: 'red' } as const;
  const reason = wrapped(shownText(verdict.reason), widthOf(terminal.stdout), '  ').join('\n');
  print(
    terminal,
    styled(terminal, colour[verdict.class], verdict.class),
    reason,
    ...pairs(terminal, [
      ['tables', verdict.tables.join(', ') || null],
      ['calls', verdict.calls.join(', ') || null],
    ]),
  );
}

async function statementFrom(terminal: Terminal): Promise<string> {
  if (terminal.stdin.isTTY) remark(terminal, 'Type the statement, then Ctrl-D.');
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of terminal.stdin) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > maxStatementBytes) break;
  }
  return Buffer.concat(chunks).toString('utf8');
}

async function answerLines(terminal: Terminal, classify: Classify): Promise<void> {
  let malformed = 0;
  for await (const lines of linesOf(terminal.stdin)) {
    let answers = '';
    for (const line of lines) {
      const sql = statementIn(line);
      if (sql === null) malformed += 1;
      answers += `${JSON.stringify(sql === null ? notAString : await classify(sql))}\n`;
    }
    if (!terminal.stdout.write(answers)) await once(terminal.stdout, 'drain');
  }
  if (malformed > 0) {
    throw new Ending(exitCodes.failed, `${malformed} of the lines ${malformed === 1 ? 'was' : 'were'} no JSON string.`);
  }
}

const notAString = { error: 'The line is no JSON string of at most 1,000,000 characters.' };

function statementIn(line: Line): string | null {
  const value = line.kind === 'too_long' ? null : parsedJson(line.text);
  return typeof value === 'string' ? value : null;
}

function verdictOf({ class: statementClass, reason, tables, calls }: Classification): StatementVerdict {
  return { class: statementClass, reason, tables: tables.map(writtenName), calls: calls.map(writtenName) };
}
