/** `sallyport run`: the statements of a file as one plan (spec §16). */

import { readFileSync } from 'node:fs';
import { planText } from '../../shared/plan-text.ts';
import { failed } from '../cli-error.ts';
import { command } from '../command.ts';
import { withDaemon } from '../daemon.ts';
import { CallRefused, onceMore, withTools } from '../mcp-client.ts';
import { mayBeAllowed, ownAsk, runOwnAsk } from '../run-refused.ts';
import { print, printJson } from '../terminal.ts';
import { waitingLine } from '../waiting-line.ts';

export const runCommand = command(
  {
    words: 'run',
    arguments: ['NAME', 'FILE'],
    missing: { FILE: 'The file is missing: name a file of SQL after the connection, or - for standard input.' },
    about: 'Run a file of statements as one plan: all or nothing where the database can',
    details: [
      'Up to 30 statements, data changes and definitions. Each is counted behind the ones',
      'before it; you see its effect, and type your passphrase once. PostgreSQL and',
      'SQLite run all or nothing; MySQL and MariaDB do for data changes, and stop at the',
      'first failure if there are definitions.',
    ],
    options: {
      reason: { type: 'string', value: 'TEXT', about: 'what it is for; shown with it' },
      database: { type: 'string', value: 'NAME', about: 'use another database of that server' },
      schema: { type: 'string', value: 'NAME', about: 'look here for names without a schema' },
    },
  },
  async ({ terminal, arguments: [connection = '', file = ''], options, json }) => {
    const { database, schema, reason = `sallyport run ${file}` } = options;
    const text = textOf(file);
    const { statements } = await withDaemon(terminal, client => client.ask('statements.split', { connection, text }));
    if (statements.length === 0) throw failed(`There is no statement in ${file}.`, 'unreadable_text');
    const line = waitingLine(terminal);
    let refused = null as CallRefused | null;
    const proposed = await withTools(terminal, connection, line.show, call =>
      onceMore(terminal, call, 'propose_changes', { connection, statements, reason, database, schema }),
    )
      .finally(line.clear)
      .catch((error: unknown) => {
        if (!(error instanceof CallRefused) || !mayBeAllowed.has(error.told.code)) throw error;
        refused = error;
        return null;
      });
    const own = { text: planText(statements, reason), connection, database: database ?? null, schema: schema ?? null };
    const ran = terminal.stderr.isTTY && (await runOwnAsk(terminal, { ...own, json }));
    if (ran) return;
    // The plan itself was refused, or waits from before.
    if (refused !== null && (await withDaemon(terminal, client => ownAsk(client, own))) === undefined) throw refused;
    if (json) return printJson(terminal, proposed?.content ?? { state: 'waits' });
    print(terminal, 'The plan waits for you: `sallyport allow` shows it, and runs it.');
  },
);

function textOf(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    throw failed(`${file} can't be read: ${error instanceof Error ? error.message : String(error)}`, 'file_refused', {
      path: file,
    });
  }
}
