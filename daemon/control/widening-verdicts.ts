/**
 * For each command whether it widens access (SPEC §11): never, or judged from its parameters and the state there is. A command
 * without a verdict does not compile, and is refused as a widening if it runs all the same. Narrowing is never asked about.
 */

import type { ControlCommands, ControlMethod } from '../../shared/control-commands.ts';
import { changed, isSettingKey } from '../access/settings.ts';
import { connectionWidening, settingWidening } from '../access/widening.ts';
import type { CommandContext } from './command.ts';
import { changeConnection } from './commands/connection-change.ts';

/** @returns what it widens, completing "This …"; null where it doesn't, or where the command itself will refuse it. */
export type WideningVerdict<Method extends ControlMethod> =
  | 'never'
  | ((parameters: ControlCommands[Method]['params'], context: CommandContext) => string | null);

export const wideningVerdicts: { readonly [Method in ControlMethod]: WideningVerdict<Method> } = {
  status: 'never',
  stop: 'never',
  pause: 'never',
  resume: () => 'lets clients in again',
  'settings.list': 'never',
  'settings.get': 'never',
  'settings.set': ({ key, value }, { ports }) => {
    const former = ports.settings.current();
    const next = changed(former, key, value);
    if (!isSettingKey(key) || 'refused' in next) return null;
    return settingWidening(key, former, next, ports.owner.isSet() || ports.ownerApp.isKnown());
  },
  'connections.list': 'never',
  'connections.show': 'never',
  'connections.save': (asked, { ports, at }) => {
    const former = asked.connection === undefined ? null : ports.connections.find(asked.connection);
    if (former === null && asked.connection !== undefined) return null;
    const change = changeConnection(former, asked, 'new', at);
    if (change.kind === 'refused') return null;
    const widened = connectionWidening(former, change.connection, at);
    return widened.length === 0 ? null : widened.join(', and ');
  },
  'connections.delete': 'never',
  'connections.test': 'never',
  'tokens.list': 'never',
  'tokens.mint': ({ name, scope, confirmInClient }) =>
    `makes a ${scopeWords[scope]} token ${JSON.stringify(name)}${confirmInClient ? ' whose client may answer for you' : ''}`,
  'tokens.revoke': 'never',
  'tokens.delete': 'never',
  'approvals.pending': 'never',
  'approvals.attach': 'never',
  'approvals.decide': ({ answer }) => (answer === 'yes' ? 'lets happen what a client asks for' : null),
  // Taken from Sallyport.app alone, which is asked outside of any turn.
  'confirmations.pending': 'never',
  'confirmations.decide': 'never',
  'pairing.begin': (_, { ports }) =>
    ports.status().state === 'off' ? 'starts the server, which is switched off' : null,
  'pairing.decide': asked =>
    asked.decision === 'approve' ? `gives a client a ${scopeWords[asked.scope]} token` : null,
  'pairing.close': 'never',
  'passphrase.set': (_, { ports }) => {
    if (ports.owner.isSet()) return 'changes the owner passphrase';
    // Else whoever sets the first one could confirm with it what only the app may.
    return ports.ownerApp.isKnown() ? 'sets an owner passphrase, which confirms as Sallyport.app does' : null;
  },
  'passphrase.clear': (_, { ports }) => (ports.owner.isSet() ? 'clears the owner passphrase' : null),
  'clients.list': 'never',
  'snippets.list': 'never',
  'changes.follow': 'never',
  'statements.classify': 'never',
  'demo.create': 'never',
  // As `history` off and fewer `history.days`: what clients did is no longer there to read.
  'history.clear': () => 'removes what was kept of statements',
  'activity.query': 'never',
  'activity.verify': 'never',
  'activity.follow': 'never',
};

const scopeWords = { readOnly: 'Read Only', readWrite: 'Read & Write', fullAccess: 'Full Access' } as const;
