/** `sallyport connections list`, `show`, `test` and `trust`; `sallyport demo` creates one. */

import { realpathSync } from 'node:fs';
import type { ControlCommands } from '../../shared/asked-commands.ts';
import { shellWord } from '../../shared/client-configs.ts';
import type { ConnectionView } from '../../shared/control-commands.ts';
import { connectionsOf } from '../../shared/engine.ts';
import { npxPackage } from '../../shared/npx.ts';
import { hostsShown } from '../../shared/server-hosts.ts';
import { shownText } from '../../shared/shown-text.ts';
import { tunnelText } from '../../shared/ssh-hop.ts';
import { failed } from '../cli-error.ts';
import { command } from '../command.ts';
import { askDaemon, withDaemon } from '../daemon.ts';
import { askOfEach, everyConnection } from '../every-connection.ts';
import { testConnection } from '../host-keys.ts';
import { firstMet, isUnproved, proofCell, proofLine } from '../server-proof.ts';
import { runningDaemon } from '../starting.ts';
import { pairs, table } from '../table.ts';
import { print, printJson, printNotes, say, styled, type Terminal } from '../terminal.ts';
import { showWaiting } from '../waiting-line.ts';
import { aiPolicyWords, externalClientsWords, shownTime, shownUntil, wordFor } from '../words.ts';

export const listConnectionsCommand = command(
  { words: 'connections list', about: 'List the saved connections' },
  async ({ terminal, json, answer }) => {
    const connections = await withDaemon(terminal, everyConnection);
    if (connections.length === 0 && !json) {
      return say(terminal, noConnection);
    }
    const some = (has: (connection: ConnectionView) => boolean): boolean => connections.some(has);
    const columns = {
      NAME: ({ name }: ConnectionView) => name,
      ENGINE: ({ engine }: ConnectionView) => connectionsOf[engine].name,
      WHERE: placeOf,
      CLIENTS: levelCell,
      AI: ({ aiPolicy }: ConnectionView) => wordFor(aiPolicyWords, aiPolicy),
      // Columns that nobody uses are left out.
      ...(some(({ tags }) => tags.length > 0) && { TAGS: ({ tags }: ConnectionView) => tags.join(', ') }),
      ...(some(isUnproved) && { 'PROVED BY': proofCell }),
      ...(some(connection => wallsOf(connection) !== null) && {
        'HELD BY': (connection: ConnectionView) => wallsOf(connection) ?? '',
      }),
      ...(some(({ sight }) => hidesOf(sight) !== '') && { HIDES: ({ sight }: ConnectionView) => hidesOf(sight) }),
      ...(some(({ masks }) => masks !== undefined) && {
        MASKS: ({ masks = [] }: ConnectionView) => firstOf(masks),
      }),
      ...(some(({ colour }) => colour !== null) && { COLOUR: ({ colour }: ConnectionView) => colour ?? '' }),
    };
    answer(connections, ...table(terminal, connections, columns, 'WHERE'));
  },
);

/** What a connection hides from clients, for a cell of the list; '' for nothing. */
function hidesOf(sight: ConnectionView['sight']): string {
  if (sight === undefined) return '';
  const told = [...sight.hide, ...(sight.only.length === 0 ? [] : [`all but ${sight.only.join(', ')}`])];
  return firstOf(told);
}

/** The first three patterns, and how many more there are. */
function firstOf(patterns: readonly string[]): string {
  const more = patterns.length > 3 ? ` and ${patterns.length - 3} more` : '';
  return `${patterns.slice(0, 3).join(', ')}${more}`;
}

/**
 * What holds clients' reads, if it is known to be one wall. A server is asked at its first read.
 * @returns null if nothing says that a wall is missing.
 */
function wallsOf({ walls, isReadWallMissing }: ConnectionView): string | null {
  if (walls === 'one') return isReadWallMissing === true ? 'one wall' : 'one wall, where the server is none';
  return isReadWallMissing === true ? 'one wall, so no client reads' : null;
}

export const showConnectionCommand = command(
  {
    words: 'connections show',
    arguments: ['NAME'],
    about: 'Show everything about a connection',
  },
  async ({ terminal, arguments: [connection = ''], answer }) => {
    const shown = await askDaemon(terminal, 'connections.show', { connection });
    answer(shown, styled(terminal, 'bold', shownText(shown.name)), ...pairs(terminal, fieldsOf(shown)));
  },
);

export const testConnectionCommand = command(
  {
    words: 'connections test',
    arguments: ['[NAME]'],
    about: 'Test a connection, or all, and show what answers',
  },
  async ({ terminal, arguments: [connection], json }) => {
    if (connection === undefined) return testAll(terminal, json);
    const isAsked = terminal.stdin.isTTY === true && !json;
    const result = isAsked
      ? await testConnection(terminal, connection)
      : await showWaiting(
          terminal,
          `Connecting to ${connection}`,
          askDaemon(terminal, 'connections.test', { connection }),
        );
    printTest(terminal, result, json);
  },
);

export const trustConnectionCommand = command(
  {
    words: 'connections trust',
    arguments: ['NAME'],
    about: 'Take the server that answers now for the right one',
    details: [
      'A saved password goes only to a server that proves what it proved before. After',
      'you changed the server or its CA file, this forgets what they were and signs in',
      'to the one that answers now. It needs the owner passphrase.',
    ],
  },
  async ({ terminal, arguments: [connection = ''], json }) => {
    const asked = askDaemon(terminal, 'connections.trust', { connection });
    printTest(terminal, await asked, json);
  },
);

function printTest(terminal: Terminal, result: TestResult, json: boolean): void {
  if (json) printJson(terminal, result);
  if (!result.reachable) throw failed(`${result.name} can't be reached: ${result.problem}`);
  if (json) return;
  print(
    terminal,
    `${shownText(result.name)} ${styled(terminal, 'green', 'answers')}`,
    ...pairs(terminal, [
      ['server', result.serverVersion],
      ['user', result.currentUser],
      ['database', result.currentDatabase],
      ['schema', result.currentSchema],
      ['latency', shownLatency(result.latencyMilliseconds)],
      ['proved by', proofLine(result)],
      ['out of sight', counted(result.hidden)],
      ['masked', counted(result.masked)],
    ]),
  );
  for (const sentence of firstMet(result)) say(terminal, sentence);
  for (const pattern of result.unmatched ?? [])
    say(terminal, `The pattern ${shownText(pattern)} names nothing in this database.`);
  printNotes(terminal, result.warnings);
}

/** `3: audit.log, app.login_secret, app.over_log` */
function counted(named: { readonly count: number; readonly names: readonly string[] } | undefined): string | null {
  if (named === undefined) return null;
  const { count, names } = named;
  const more = count > names.length ? `, and ${count - names.length} more` : '';
  return `${count}: ${names.map(name => shownText(name)).join(', ')}${more}`;
}

type TestResult = ControlCommands['connections.test']['result'];

/** Tests every connection. Their warnings are shown only by the test of a single one. */
async function testAll(terminal: Terminal, json: boolean): Promise<void> {
  let done = '';
  const tests = withDaemon(terminal, async client => {
    const connections = await everyConnection(client);
    const told = (answered: number): void => {
      done = `: ${answered} of ${connections.length}`;
    };
    return askOfEach(connections, ({ id }) => client.ask('connections.test', { connection: id }), { told });
  });
  const results = await showWaiting(terminal, () => `Connecting to all${done}`, tests);
  const columns = {
    NAME: ({ name }: TestResult) => name,
    ANSWERS: (result: TestResult) => (result.reachable ? result.serverVersion : result.problem),
    USER: (result: TestResult) => (result.reachable ? (result.currentUser ?? '') : ''),
    LATENCY: (result: TestResult) => (result.reachable ? shownLatency(result.latencyMilliseconds) : ''),
    ...(results.some(result => result.reachable && isUnproved(result)) && {
      'PROVED BY': (result: TestResult) => (result.reachable ? proofCell(result) : ''),
    }),
  };
  if (json) printJson(terminal, results);
  else if (results.length === 0) say(terminal, noConnection);
  else print(terminal, ...table(terminal, results, columns, 'ANSWERS'));
  if (!json) for (const sentence of new Set(results.flatMap(firstMet))) say(terminal, sentence);
  const unreachable = results.filter(({ reachable }) => !reachable).length;
  if (unreachable > 0) throw failed(`${unreachable} of ${results.length} can't be reached.`);
}

const shownLatency = (milliseconds: number): string => `${Math.round(milliseconds * 10) / 10} ms`;

const noConnection = 'There is no connection yet; `sallyport connections add URL --name NAME` makes one.';

export const demoCommand = command(
  {
    words: 'demo',
    about: 'Create a demo database, as the connection Demo',
    details: ['Starts Sallyport if it is not running.'],
  },
  async ({ terminal, json }) => {
    await runningDaemon(terminal);
    const made = await askDaemon(terminal, 'demo.create', {});
    const spec = npxPackage(realpathSync(terminal.script));
    const sallyport = spec === null ? 'sallyport' : `npx -y --ignore-scripts ${shellWord(spec)}`;
    if (json) return printJson(terminal, made);
    say(terminal, `The demo database is ready as the connection ${made.name}: ${made.filePath}`);
    say(terminal, 'Ask it as an AI client could, and then let one ask:');
    print(
      terminal,
      `  ${sallyport} query ${shellWord(made.name)} ${shellWord(demoQuestion)}`,
      `  ${sallyport} connect CLIENT --write`,
    );
  },
);

const demoQuestion = 'SELECT city, count(*) AS customers FROM addresses GROUP BY city ORDER BY 2 DESC LIMIT 5';

/**
 * Where a connection leads: `host:5432/shop`, a socket or a file, with `through ssh bastion` if a
 * tunnel leads there.
 */
export function placeOf({ host, port, socketPath, filePath, database, tunnel }: ConnectionView): string {
  if (filePath !== null) return filePath;
  const server = socketPath ?? hostsShown(host ?? '', port);
  const place = database === null ? `${server}` : `${server}/${database}`;
  if (tunnel === undefined) return place;
  return `${place} through ${tunnel.kind === 'ssh' ? `ssh ${tunnel.destination}` : 'a command'}`;
}

function levelCell(connection: ConnectionView): string {
  const { level, writeUntil, now } = connection.externalClients;
  const word = wordFor(externalClientsWords, now);
  return level === 'readWrite' && now === 'readWrite' && writeUntil !== null
    ? `${word} until ${shownUntil(writeUntil, Date.now())}`
    : word;
}

const patternsOf = (patterns: readonly string[] = []): string | null => patterns.join(', ') || null;

function fieldsOf(connection: ConnectionView): [string, string | null][] {
  const { tls, password, statementTimeoutSeconds, rowLimit, writeRowLimit, timeZone, tags } = connection;
  const { isFile, name } = connectionsOf[connection.engine];
  const passwords = {
    none: 'none',
    stored: 'stored',
    command: `printed by: ${password.kind === 'command' ? password.command : ''}`,
  };
  return [
    ['engine', name],
    ['where', placeOf({ ...connection, tunnel: undefined })],
    ['tunnel', connection.tunnel === undefined ? null : tunnelText(connection.tunnel)],
    ['servers', connection.targetServers ?? null],
    ['databases', isFile ? null : connection.databases],
    ['user', connection.user],
    ['password', isFile ? null : passwords[password.kind]],
    ['tls', isFile ? null : tls.caFile === null ? tls.mode : `${tls.mode}, CA ${tls.caFile}`],
    ['servers may be', connection.identity ?? null],
    ['proved by', proofLine(connection)],
    ['reads held by', wallsOf(connection)],
    ['hides', patternsOf(connection.sight?.hide)],
    ['shows only', patternsOf(connection.sight?.only)],
    ['shows nevertheless', patternsOf(connection.sight?.show)],
    ['masks', patternsOf(connection.masks)],
    ['signs in by', connection.signInMethods?.join(', ') ?? null],
    ['client certificate', tls.clientCertificate?.certificateFile ?? null],
    ['client key', tls.clientCertificate?.keyFile ?? null],
    ['external clients', levelCell(connection)],
    ['ai policy', wordFor(aiPolicyWords, connection.aiPolicy)],
    ['timeout', statementTimeoutSeconds === null ? null : `${statementTimeoutSeconds} s`],
    ['row limit', rowLimit === null ? null : String(rowLimit)],
    ['write row limit', writeRowLimit === null ? null : `${writeRowLimit} of a table in an hour`],
    ['time zone', timeZone],
    ['group', connection.group],
    ['tags', tags.length === 0 ? null : tags.join(', ')],
    ['colour', connection.colour],
    ['id', connection.id],
    ['changed', shownTime(connection.updatedAt)],
  ];
}
