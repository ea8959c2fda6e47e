/**
 * `sallyport connections role`: shows the SQL of a role that fits a connection, and creates it once
 * a person agrees.
 */

import { createInterface } from 'node:readline';
import type { ControlCommands } from '../../shared/asked-commands.ts';
import { shellWord } from '../../shared/client-configs.ts';
import { shownText } from '../../shared/shown-text.ts';
import { failed, misuse } from '../cli-error.ts';
import { command } from '../command.ts';
import { askDaemon } from '../daemon.ts';
import { print, printJson, remark, say, styled, type Terminal, wrapped } from '../terminal.ts';
import { meaningOf, roleAccessWords, wordFor } from '../words.ts';

type Role = ControlCommands['connections.role']['result'];

export const roleCommand = command(
  {
    words: 'connections role',
    arguments: ['NAME'],
    about: 'Print SQL for a role with only the needed rights',
    details: [
      'Runs nothing without --apply. With it, once you agree, the current role of the',
      'connection creates the new role, Sallyport tests it, and the connection moves to',
      'it. The new password goes into the secret store. Nothing else changes.',
    ],
    options: {
      access: { type: 'string', value: 'LEVEL', about: "read-only or read-write; the connection's own by default" },
      schema: { type: 'string', multiple: true, value: 'S', about: 'a schema, on MySQL a database; may be repeated' },
      role: { type: 'string', value: 'ROLE', about: 'the name of the new role' },
      apply: { type: 'boolean', about: 'create the role, and move the connection to it' },
      yes: { type: 'boolean', about: 'with --apply: do not ask' },
    },
    json: true,
  },
  async ({ terminal, arguments: [connection = ''], options, json }) => {
    const { access, schema, role, apply, yes } = options;
    if (yes === true && apply !== true) throw misuse('--yes needs --apply.');
    const asked = {
      connection,
      ...(access === undefined ? {} : { access: meaningOf('access', roleAccessWords, access) }),
      ...(schema === undefined ? {} : { schemas: schema }),
      ...(role === undefined ? {} : { role }),
    };
    const planned = await askDaemon(terminal, 'connections.role', asked);
    const shown = shownName(planned);
    if (apply !== true) {
      if (json) return printJson(terminal, planned);
      print(terminal, ...script(terminal, planned));
      return remark(
        terminal,
        `Nothing was run. \`${shown.command} --apply\` runs it and moves ${shown.name} to the role.`,
      );
    }
    if (!json) print(terminal, ...script(terminal, planned));
    if (yes !== true && !(await saysYes(terminal, `Create this role and move ${shown.name} to it?`)))
      throw failed('Stopped; nothing was changed.');
    const made = await askDaemon(terminal, 'connections.role', { ...asked, apply: planned.digest });
    if (json) return printJson(terminal, made);
    say(terminal, `${made.name} signs in as ${made.role} now; its password is in the secret store.`);
  },
);

function shownName({ name }: Role) {
  return { name: shownText(name), command: `sallyport connections role ${shellWord(shownText(name))}` };
}

const scriptColumns = 78;

/** As an SQL file: explanations are comments of one line each, whatever a name contains. */
function script(terminal: Terminal, { name, role, access, steps, notes }: Role): string[] {
  const comment = (text: string): string[] =>
    wrapped(shownText(text), scriptColumns - 3, '').map(line => styled(terminal, 'dim', `-- ${line}`));
  return [
    ...comment(`The role ${role} for ${name}, ${wordFor(roleAccessWords, access)}.`),
    ...steps.flatMap(({ why, statements }) => ['', ...comment(why), ...statements.map(ended)]),
    ...(notes.length > 0 ? [''] : []),
    ...notes.flatMap(note => comment(`Note: ${note}`)),
  ];
}

/** A line for psql itself takes no semicolon. */
function ended(statement: string): string {
  const shown = shownText(statement, 'lines');
  return statement.startsWith('\\') ? shown : `${shown};`;
}

async function saysYes(terminal: Terminal, question: string): Promise<boolean> {
  const { stdin: input, stderr: output } = terminal;
  if (!input.isTTY) throw misuse('--apply asks on a terminal, and there is none here; add --yes to agree.');
  const lines = createInterface({ input, output });
  const answer = await new Promise<string>(resolve => {
    lines.once('close', () => resolve(''));
    lines.question(`${question} [y/N] `, resolve);
  });
  lines.close();
  return /^y(es)?$/i.test(answer.trim());
}
