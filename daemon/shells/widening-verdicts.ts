/**
 * For each command whether it widens access (spec §11): never, or judged from its parameters and the state there is. A command
 * without a verdict does not compile, and is refused as a widening if it runs all the same. Narrowing is never asked about.
 */

import type { ConnectionSaveParams, ControlCommands, ControlMethod } from '../../shared/control-commands.ts';
import type { Connection } from '../access/connection.ts';
import { settingWidening } from '../access/privilege-increases/widening.ts';
import { connectionWidening } from '../access/privilege-increases/widening-connection.ts';
import { restoreWidening } from '../access/privilege-increases/widening-restore.ts';
import type { Widening } from '../access/privilege-increases/widening-words.ts';
import { restorable } from '../access/removed-connections.ts';
import { changed, isSettingKey } from '../access/settings/settings.ts';
import { doubtClause } from '../access/store-doubt.ts';
import type { CommandContext } from './command.ts';
import { changeConnection } from './commands/connection-change.ts';
import { restorableNamed } from './commands/connections-removed.ts';
import { demoSave } from './commands/demo.ts';
import { roleWidening } from './commands/role-wanted.ts';
import type { CommandPorts } from './ports.ts';
import { answerWidening } from './widening-answer.ts';
import { editWidening, mintWidening, pairingWidening } from './widening-grant.ts';
import { requestsWidening } from './widening-requests.ts';

/** @returns what it widens; null where it doesn't, or where the command itself will refuse it. */
export type WideningVerdict<Method extends ControlMethod> =
  | 'never'
  | ((parameters: ControlCommands[Method]['params'], context: CommandContext) => Widening | null);

export const wideningVerdicts: { readonly [Method in ControlMethod]: WideningVerdict<Method> } = {
  status: 'never',
  stop: 'never',
  pause: 'never',
  resume: (_, { ports }) => {
    const doubt = ports.doubt();
    const because = doubt === null ? '' : `; it paused by itself, since ${doubtClause(doubt)}`;
    return plain(`lets every client in again, which had been paused${because}`);
  },
  'settings.list': 'never',
  'settings.get': 'never',
  'settings.set': ({ key, value }, { ports }) => {
    const former = ports.settings.current();
    const next = changed(former, key, value);
    if (!isSettingKey(key) || 'refused' in next) return null;
    return settingWidening(key, former, next);
  },
  'connections.list': 'never',
  'connections.show': 'never',
  'connections.save': (asked, { ports, at }) => {
    const former = asked.connection === undefined ? null : ports.connections.find(asked.connection);
    if (former === null && asked.connection !== undefined) return null;
    return saveWidening(former, asked, ports, at);
  },
  'connections.delete': 'never',
  'connections.removed': 'never',
  'connections.restore': ({ connection }, { ports, at }) => {
    const found = restorableNamed(connection, ports);
    return found.kind === 'refused' ? null : restoreWidening(found.result, at);
  },
  'connections.test': 'never',
  'connections.role': roleWidening,
  'tokens.list': 'never',
  'tokens.mint': mintWidening,
  'tokens.edit': editWidening,
  'tokens.revoke': 'never',
  'tokens.delete': 'never',
  'approvals.pending': 'never',
  'approvals.attach': 'never',
  'approvals.decide': answerWidening,
  'requests.list': 'never',
  'requests.open': 'never',
  'requests.decide': requestsWidening,
  // Taken from Sallyport.app alone, which is asked outside of any turn.
  'confirmations.pending': 'never',
  'confirmations.decide': 'never',
  'pairing.begin': 'never',
  'pairing.decide': pairingWidening,
  'pairing.close': 'never',
  'passphrase.set': (_, { ports }) => {
    if (ports.owner.state() === 'set') return plain('changes the owner passphrase');
    return firstPassphrase(ports);
  },
  'passphrase.off': ({ forNewHome }, { ports }) => {
    // The command refuses it.
    if (forNewHome === true) return null;
    // Where there is nobody to ask, whoever sits at the terminal decides, as they would choose the first one.
    if (ports.owner.state() === 'none' && !ports.ownerApp.isKnown()) return null;
    return plain(
      'removes the owner passphrase; any program that runs as you, your agents too, can then grant more access',
    );
  },
  // Of one that is set it takes away alone; else it sets the first one.
  'passphrase.reset': (_, { ports }) => (ports.owner.state() === 'set' ? null : firstPassphrase(ports)),
  'passphrase.confirm': (_, { ports }) =>
    ports.owner.chosen() === null
      ? null
      : plain('records that it was you who chose the owner passphrase, or switched it off'),
  'clients.list': 'never',
  'snippets.list': 'never',
  'changes.follow': 'never',
  'statements.classify': 'never',
  'demo.create': (_, { ports, at }) => {
    const { former, asked } = demoSave(ports);
    // Another connection has the name, so nothing will be saved.
    if (former !== null && former.filePath !== ports.demoFile) return null;
    return saveWidening(former, asked, ports, at);
  },
  'history.query': ({ all }) =>
    all === true
      ? plain('shows the statements on connections that AI clients may not read unasked, and on removed ones')
      : null,
  // As `history` off and fewer `history.days`: what clients did is no longer there to read.
  'history.clear': () => plain('removes every statement that was kept, whichever client sent it'),
  'activity.query': 'never',
  'activity.verify': 'never',
  'activity.follow': 'never',
};

function saveWidening(
  former: Connection | null,
  asked: ConnectionSaveParams,
  ports: CommandPorts,
  at: number,
): Widening | null {
  const change = changeConnection(former, asked, 'new', at);
  if (change.kind === 'refused') return null;
  const given = {
    password: asked.password?.kind === 'stored',
    keyPassphrase: asked.tls?.keyPassphrase !== undefined,
    sshPassphrase: asked.sshPassphrase !== undefined,
    sshPassword: asked.sshPassword !== undefined,
  };
  const writeRows = ports.settings.current()['writes.maxRows'];
  const inUse = ports.connections.list().map(connection => ({ connection, isRemoved: false, wasTakenAway: false }));
  const removed = restorable(ports.connections.removed(), ports.oldBy()).map(({ connection, removedAt }) => ({
    connection,
    isRemoved: true,
    // Setting one up removes it and saves it anew, until it answers.
    wasTakenAway: removedAt - Date.parse(connection.createdAt) > settingUpMilliseconds,
  }));
  const samePlace = { others: [...inUse, ...removed], fileIdentity: ports.fileIdentity };
  return connectionWidening(former, change.connection, at, given, writeRows, samePlace);
}

const settingUpMilliseconds = 600_000;

/** Has no value of anybody's to show. */
function plain(phrase: string): Widening {
  return { phrase, facts: [] };
}

/** Else whoever sets the first one could confirm with it what only the app may. */
function firstPassphrase({ ownerApp }: CommandContext['ports']): Widening | null {
  return ownerApp.isKnown()
    ? plain('sets an owner passphrase, which confirms as Sallyport.app does, and which whoever asks this has chosen')
    : null;
}
