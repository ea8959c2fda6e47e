/**
 * `sallyport classify`: what kind of statement it is, by the same code that checks it before it
 * runs (spec §7, §16). Needs the daemon only with a connection's catalog.
 */

import { once } from 'node:events';
import { lazyClassifiers } from '../../daemon/guard/classifiers.ts';
import type { Classification } from '../../daemon/guard/types.ts';
import { writtenName } from '../../daemon/guard/written-name.ts';
import type { StatementVerdict } from '../../shared/control-commands.ts';
import type { Engine } from '../../shared/engine.ts';
import { parsedJson } from '../../shared/json.ts';
import { LineSplitter } from '../../shared/lines.ts';
import { shownText } from '../../shared/shown-text.ts';
import { CliError, exitCodes, failed, misuse } from '../cli-error.ts';
import { command } from '../command.ts';
import type { ControlClient } from '../control-client.ts';
import { withDaemon } from '../daemon.ts';
import { pairs } from '../table.ts';
import { print, remark, styled, type Terminal, widthOf, wrapped } from '../terminal.ts';

type Classify = (sql: string) => StatementVerdict | Promise<StatementVerdict>;

/** Longer than any statement may be, so a statement that is too long gets its own refusal. */
const maxStatementBytes = 200_000;

export const classifyCommand = command(
  {
    words: 'classify',
    arguments: ['ENGINE'],
    about: 'Classify a statement from stdin, and say why',
    details: [
      'Prints its class: read, write, destructive or forbidden. ENGINE is postgres, mysql,',
      'mariadb or sqlite. Nothing runs; only --connection needs the daemon.',
      'With --json each line in is a JSON string, and each line out is an object { class,',
      'reason, tables, calls }. Any other line gets { error }, and the exit code is 1.',
    ],
    options: {
      connection: { type: 'string', value: 'NAME', about: 'use the catalog of this connection too' },
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
  postgres: 'postgres',
  postgresql: 'postgres',
  mysql: 'mysql',
  mariadb: 'mysql',
  sqlite: 'sqlite',
};

function engineOf(typed: string): Engine {
  const engine = Object.hasOwn(engineWords, typed.toLowerCase()) ? engineWords[typed.toLowerCase()] : undefined;
  if (engine !== undefined) return engine;
  throw misuse('ENGINE must be one of postgres, mysql, mariadb, sqlite.');
}

async function byText(engine: Engine): Promise<Classify> {
  const classify: (sql: string) => Classification = await lazyClassifiers()[engine]();
  return sql => verdictOf(classify(sql));
}

async function byCatalog(client: ControlClient, engine: Engine, connection: string): Promise<Classify> {
  const found = await client.ask('connections.show', { connection });
  if (found.engine !== engine) {
    throw failed(`${found.name} is a connection to ${found.engine}; use \`sallyport classify ${found.engine}\`.`);
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
  // A statement that is too long gets its own refusal.
  const lines = new LineSplitter(Number.POSITIVE_INFINITY);
  const answer = async (bytes: Buffer): Promise<void> => {
    for (const line of lines.push(bytes)) {
      const sql = parsedJson(line);
      if (typeof sql !== 'string') malformed += 1;
      const answered = typeof sql === 'string' ? await classify(sql) : { error: 'The line is not a JSON string.' };
      print(terminal, JSON.stringify(answered));
      if (terminal.stdout.writableNeedDrain) await once(terminal.stdout, 'drain');
    }
  };
  for await (const chunk of terminal.stdin) await answer(chunk);
  await answer(Buffer.from('\n'));
  if (malformed > 0) {
    throw new CliError(
      exitCodes.failed,
      `${malformed} ${malformed === 1 ? 'line was not a JSON string' : 'lines were not JSON strings'}.`,
    );
  }
}

function verdictOf({ class: statementClass, reason, tables, calls }: Classification): StatementVerdict {
  return { class: statementClass, reason, tables: tables.map(writtenName), calls: calls.map(writtenName) };
}
