/**
 * What the commands of a shell leave in the activity log (spec §14), for each command: how it is recorded once it is done, or only that
 * it was refused. No parameter is copied whole: passwords and passphrases stand among them. Widenings record themselves.
 */

import { errorCodes } from '../../shared/codes.ts';
import type { ControlCommands, ControlMethod } from '../../shared/control-commands.ts';
import { howConfirmed } from '../access/privilege-increases/origin.ts';
import { removedStanding } from '../access/standing/words.ts';
import type { ActivityAction, ActivityOutcome, ActivitySubject } from '../activity.ts';
import { askerWords } from './asker-words.ts';
import type { CommandContext, CommandOutcome } from './command.ts';
import type { CommandPorts } from './ports.ts';

type Done = ActivitySubject & { readonly reason?: string; readonly outcome?: ActivityOutcome };
type AdminAction = Extract<ActivityAction, { category: 'admin' }>['action'];

type RecordContext = Pick<CommandContext, 'ports' | 'requestId' | 'origin' | 'shell' | 'isApp'>;

interface Recorded<Method extends ControlMethod> {
  readonly action: AdminAction | ((asked: ControlCommands[Method]['params']) => AdminAction);
  readonly done: (
    result: ControlCommands[Method]['result'],
    asked: ControlCommands[Method]['params'],
    ports: CommandPorts,
  ) => Done;
}

/**
 * `refusals`: it changes nothing that a row would tell of, but a no stands there, for somebody asked for what they may not have.
 * `itself`: the command records what it did and what it refused.
 */
const recorded: { readonly [Method in ControlMethod]: Recorded<Method> | 'refusals' | 'itself' } = {
  status: 'refusals',
  // As the end of the run, which names who asked for it.
  stop: 'itself',
  pause: { action: 'pause', done: () => ({}) },
  resume: { action: 'resume', done: () => ({}) },
  'settings.list': 'refusals',
  'settings.get': 'refusals',
  'settings.set': { action: 'setting.change', done: ({ key, value }) => ({ reason: `${key} is ${value}` }) },
  'connections.list': 'refusals',
  'connections.show': 'refusals',
  'connections.save': {
    action: ({ connection }) => (connection === undefined ? 'connection.add' : 'connection.change'),
    done: ({ id, name }, { connection, ...changed }, ports) => ({
      connection: { id, name },
      reason: (connection === undefined ? '' : `changed: ${Object.keys(changed).join(', ')}; `) + standingOf(id, ports),
    }),
  },
  'connections.delete': {
    action: 'connection.delete',
    done: ({ id, name }) => ({ connection: { id, name }, reason: removedStanding }),
  },
  'connections.removed': 'refusals',
  'connections.restore': {
    action: 'connection.restore',
    done: ({ id, name }, _, ports) => ({ connection: { id, name }, reason: standingOf(id, ports) }),
  },
  'connections.test': {
    action: 'connection.test',
    done: ({ reachable, name }, { hostKey }, { connections }) => {
      const id = connections.find(name)?.id;
      const reasons = [
        ...(reachable ? [] : ["it can't be reached"]),
        ...(hostKey === undefined ? [] : [`the SSH host key ${hostKey} was confirmed`]),
      ];
      return {
        connection: id === undefined ? null : { id, name },
        ...(reasons.length > 0 && { reason: reasons.join('; ') }),
        ...(!reachable && { outcome: 'error' }),
      };
    },
  },
  'connections.role': {
    action: 'connection.role',
    done: ({ id, name, role, access, applied }, _, ports) => ({
      connection: { id, name },
      reason: applied ? `moved to ${role}, ${access}; ${standingOf(id, ports)}` : 'shown',
    }),
  },
  'tokens.list': 'refusals',
  'tokens.mint': {
    action: 'token.mint',
    done: ({ id, name }, _, ports) => ({ principal: id, tokenName: name, reason: standingOfToken(id, ports) }),
  },
  'tokens.edit': {
    action: 'token.edit',
    done: ({ id, name }, _, ports) => ({ principal: id, tokenName: name, reason: standingOfToken(id, ports) }),
  },
  'tokens.revoke': {
    action: 'token.revoke',
    done: ({ id }, _, { tokens }) => ({ principal: id, tokenName: tokens.find(id)?.name ?? null }),
  },
  'tokens.delete': { action: 'token.delete', done: ({ id }) => ({ principal: id }) },
  'approvals.pending': 'refusals',
  'approvals.attach': 'refusals',
  'approvals.decide': 'refusals',
  'requests.list': 'refusals',
  // Its trials run on the database, whoever has them run.
  'requests.open': {
    action: 'request.open',
    done: ({ requests }) => ({ reason: requests.map(({ id }) => id).join(', ') }),
  },
  'requests.decide': {
    action: 'request.answer',
    done: ({ ids, answer, ran }) => {
      const failed = ran.some(run => run.failed !== null);
      return { reason: `${answer}: ${ids.join(', ')}`, ...(failed && { outcome: 'error' as const }) };
    },
  },
  'confirmations.pending': 'itself',
  'confirmations.decide': 'itself',
  'pairing.begin': 'itself',
  'pairing.decide': 'itself',
  'pairing.close': 'itself',
  'passphrase.set': { action: 'passphrase.set', done: () => ({}) },
  'passphrase.off': { action: 'passphrase.off', done: () => ({}) },
  'passphrase.reset': {
    action: 'passphrase.reset',
    done: ({ reset }) => (reset === null ? {} : { reason: `counts from ${reset.countsAt}` }),
  },
  'passphrase.confirm': { action: 'passphrase.confirm', done: () => ({}) },
  'clients.list': 'refusals',
  'snippets.list': 'refusals',
  'changes.follow': 'refusals',
  // Nothing is kept from anybody, and its no may be a server's words on the statement.
  'statements.classify': 'itself',
  'demo.create': {
    action: 'demo.create',
    done: ({ id, name }, _, ports) => ({ connection: { id, name }, reason: standingOf(id, ports) }),
  },
  'history.query': 'refusals',
  'history.clear': {
    action: 'history.clear',
    done: ({ removed }) => ({ reason: removed === 1 ? '1 statement' : `${removed} statements` }),
  },
  'activity.query': 'refusals',
  'activity.verify': 'refusals',
  'activity.follow': 'refusals',
};

/** What it comes to, as the next start compares it (access/standing/). It may be gone again by now. */
function standingOf(id: string, { connections, standings }: CommandPorts): string {
  const connection = connections.find(id);
  return connection === null ? '' : standings.ofConnection(connection);
}

function standingOfToken(id: string, { tokens, standings }: CommandPorts): string {
  const token = tokens.find(id);
  return token === null ? '' : standings.ofToken(token);
}

/**
 * @param parameters of the command's shape where its outcome says so: only then are they looked at.
 * @param unconfirmed it gave more access, and the owner passphrase is off.
 */
export async function recordCommand<Method extends ControlMethod>(
  method: Method,
  parameters: unknown,
  outcome: CommandOutcome<ControlCommands[Method]['result']>,
  context: RecordContext,
  unconfirmed = false,
): Promise<void> {
  const how: Recorded<Method> | 'refusals' | 'itself' = recorded[method];
  // Asked wrongly, nothing was about to change.
  if (how === 'itself' || (outcome.kind === 'refused' && outcome.error.code === errorCodes.invalidParams)) return;
  if (how === 'refusals') {
    if (outcome.kind === 'refused') await recordRequest(context, 'denied', `${method}: ${outcome.error.message}`);
    return;
  }
  const asked = (parameters ?? {}) as ControlCommands[Method]['params'];
  const action = typeof how.action === 'function' ? how.action(asked) : how.action;
  const { ports, requestId } = context;
  const asker = await askerWords(context);
  const entry = {
    category: 'admin',
    action,
    requestId,
    client: `${asker}${unconfirmed ? `, ${howConfirmed(null)}` : ''}`,
  } as const;
  ports.activity.record(
    outcome.kind === 'done'
      ? { ...entry, outcome: 'success', ...how.done(outcome.result, asked, ports) }
      : { ...entry, outcome: 'denied', reason: outcome.error.message },
  );
  // A kill within the next half second would else leave the store with what the log doesn't know, and a store that lost what was
  // answered would look whole.
  if (outcome.kind === 'done') await ports.activity.flush();
}

/** What no one foresaw: the log says more under the same id. */
export function recordFault(method: ControlMethod, context: RecordContext): Promise<void> {
  return recordRequest(context, 'error', `internal_failure: ${method}`);
}

async function recordRequest(context: RecordContext, outcome: 'denied' | 'error', reason: string): Promise<void> {
  const { ports, requestId } = context;
  const client = await askerWords(context);
  ports.activity.record({ category: 'access', action: 'request', outcome, requestId, client, reason });
}
