/**
 * `sallyport open` (spec §10, §16): a deep link starts the server, or is a pairing request,
 * answered on a sheet or by options.
 */

import type { CommandParams } from '../../shared/asked-commands.ts';
import type { DeskDecision } from '../../shared/control-commands.ts';
import { shownName } from '../../shared/shown-text.ts';
import { failed, misuse } from '../cli-error.ts';
import { type CommandCall, command } from '../command.ts';
import type { ControlClient } from '../control-client.ts';
import { withDaemon } from '../daemon.ts';
import { deepLinkKind, redirectScheme } from '../deep-link.ts';
import { shortId } from '../named-token.ts';
import { type AddressOpening, openAddress } from '../opening.ts';
import { handlerOf } from '../scheme-handler.ts';
import { askOnSheet, sheetPlace } from '../sheet/ask.ts';
import { type PairingAsk, pairingOf } from '../sheet/pairing.ts';
import { runningDaemon, whyUnserved } from '../starting.ts';
import { print, remark, type Terminal, widthOf, wrapped } from '../terminal.ts';
import { meaningOf, scopeWords } from '../words.ts';
import { connectionsOf, expiryOf } from './tokens.ts';

const options = {
  approve: { type: 'boolean', about: 'approve without asking you' },
  deny: { type: 'boolean', about: 'deny without asking you' },
  scope: {
    type: 'string',
    value: 'S',
    about: 'with --approve: read-only, read-write or full-access',
  },
  connections: {
    type: 'string',
    value: 'all|A,B',
    about: "with --approve: connections it may use (default: the link's)",
  },
  expires: { type: 'string', value: 'DAYS', about: 'with --approve: 1, 7, 30 (default), 90 or never' },
  'print-redirect': { type: 'boolean', about: 'print the address that answers the client; open nothing' },
} as const;

const switchedOff =
  'Sallyport runs, but its server is switched off, and a link does not switch it on; `sallyport settings set enabled true` does.';

/** Decides about a known request. Null if the person closed it, or its time ran out. */
type Decider = (asked: PairingAsk, client: ControlClient) => Promise<CommandParams<'desk.decide'> | null>;

export const openCommand = command(
  {
    words: 'open',
    arguments: ['DEEP-LINK'],
    about: 'Open a sallyport: link, and decide on a pairing here',
    details: ['Without --approve or --deny it asks you here, for five minutes. Esc denies.'],
    options,
    json: false,
  },
  async call => {
    const { terminal, arguments: typed } = call;
    const [link = ''] = typed;
    const kind = deepLinkKind(link);
    if (kind === 'unknown')
      throw failed("Sallyport doesn't know this kind of link; pairing links come from the client.", 'link_refused');
    if (kind === 'start') {
      if (Object.keys(call.options).length > 0) throw misuse('That link takes no options: it only starts the server.');
      const status = await runningDaemon(terminal);
      const problem = status.state === 'off' ? switchedOff : whyUnserved(status);
      if (problem !== null) throw failed(problem, 'server_off');
      return;
    }
    const decide = deciderFor(call, link);
    await runningDaemon(terminal);
    const { answer, view } = await decided(call, link, decide);
    if (call.options['print-redirect'] === true) {
      if (answer.address !== null) print(terminal, answer.address);
      return;
    }
    report(terminal, view, answer, await opening(terminal, view, answer.address));
  },
);

/** @throws CliError if options contradict each other, or there is no terminal to ask in. */
function deciderFor({ terminal, options: given }: CommandCall<typeof options>, link: string): Decider {
  if (given.approve === true && given.deny === true) throw misuse('Use --approve or --deny, not both.');
  const { scope, connections, expires } = given;
  if (given.approve !== true && [scope, connections, expires].some(value => value !== undefined)) {
    throw misuse('--scope, --connections and --expires need --approve.');
  }
  if (given.approve === true && connections === undefined && !/[?&]connection-ids=/.test(link))
    throw misuse('This link names no connections; add --connections all, or --connections with their names.');
  if (given.deny === true) return async ({ id }) => ({ ids: [id], answer: 'no' });
  if (given.approve === true) {
    const wanted = {
      scope: scope === undefined ? null : meaningOf('scope', scopeWords, scope),
      connections: connections === undefined ? null : connectionsOf(connections),
      expires: expires === undefined ? null : expiryOf(expires),
    };
    return async ({ id, pairing }) => ({
      ids: [id],
      answer: 'yes',
      grant: {
        scope: wanted.scope ?? pairing.scope,
        connections: wanted.connections ?? pairing.ticked,
        expires: wanted.expires ?? pairing.expires,
      },
    });
  }
  const place = sheetPlace(terminal);
  return (view, client) => askOnSheet(terminal, place, view, client);
}

/** @throws CliError with the daemon's sentence if it refuses. */
function decided(
  call: CommandCall<typeof options>,
  link: string,
  decide: Decider,
): Promise<{ readonly view: PairingAsk; readonly answer: DeskDecision }> {
  const { terminal } = call;
  return withDaemon(terminal, async client => {
    const scheme = redirectScheme(link);
    const app = scheme === null ? null : await handlerOf(terminal, scheme);
    const handler = scheme === null || app === null ? null : { scheme, app };
    const view = pairingOf(await client.ask('pairing.begin', { link, handler }));
    if (isUnseen(call, view)) throw failed(onSheetAlone(view));
    const decision = await decide(view, client);
    if (decision === null)
      throw failed(
        'Nobody decided within five minutes, so nothing was sent; start again in the client.',
        'nobody_answered',
      );
    return { view, answer: await client.ask('desk.decide', decision) };
  });
}

/** With --approve no sheet names the app. */
function isUnseen({ options: given }: CommandCall<typeof options>, { pairing: { redirect } }: PairingAsk): boolean {
  return given.approve === true && given['print-redirect'] !== true && redirect.kind === 'anybodys';
}

function onSheetAlone({ pairing: { redirect } }: PairingAsk): string {
  const { address, receiver } = redirect;
  const scheme = address.slice(0, address.indexOf(':'));
  return `Any app may claim ${scheme}: addresses, and ${receiver} opens them here, so the answer is opened only after its sheet: leave out --approve, or add --print-redirect.`;
}

/**
 * Opens it only with the app that the sheet has named: another may have registered itself
 * meanwhile.
 */
async function opening(
  terminal: Terminal,
  { pairing: { redirect } }: PairingAsk,
  address: string | null,
): Promise<AddressOpening | null> {
  if (address === null) return null;
  const scheme = address.slice(0, address.indexOf(':')).toLowerCase();
  if (redirect.kind !== 'loopback' && (await handlerOf(terminal, scheme)) !== redirect.receiver)
    return { kind: 'failed', problem: `another app opens ${scheme}: addresses now than the one you were shown` };
  return openAddress(terminal, address);
}

/** @throws CliError if the answer didn't reach the client, or may not have. */
function report(
  terminal: Terminal,
  { client, pairing: { serverStarted } }: PairingAsk,
  { token }: DeskDecision,
  opened: AddressOpening | null,
) {
  const name = shownName(client);
  const told = (sentence: string) => print(terminal, ...wrapped(sentence, widthOf(terminal.stdout), ''));
  if (opened === null) return told(`Denied. ${name} got nothing, and nothing was opened.`);
  const approved = `Approved. ${name} fetches its token now; \`sallyport tokens list\` shows it.`;
  if (opened.kind === 'opened' && token === null) told(`Denied. ${name} was told so and got nothing.`);
  if (opened.kind === 'opened' && token !== null) told(approved);
  if (serverStarted && token !== null)
    remark(terminal, 'The server was switched off; it runs now, until Sallyport is stopped.');
  if (opened.kind === 'opened') return;
  const isLost = opened.kind === 'failed';
  // Not escaped here: every ending is escaped later, and a second time would show the escapes.
  const reached = `The answer ${isLost ? 'did not reach' : 'may not have reached'} ${client}: ${opened.problem}.`;
  if (token === null) throw failed(reached, 'not_delivered');
  const ofToken = isLost
    ? 'Nobody has its token, which ends within five minutes: start again in the client.'
    : `It may have the code, and get its token within five minutes: \`sallyport tokens list\` shows whether it did, \`sallyport tokens revoke ${token.slice(0, shortId)}\` revokes it.`;
  throw failed(`${reached} ${ofToken}`, 'not_delivered');
}
