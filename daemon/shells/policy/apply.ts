/**
 * Puts a policy file's changes into force (spec §6), each with the row in the log and the mark of
 * its confirmation that it has if a person makes it by hand.
 */

import { isUnconfirmed } from '../../access/privilege-increases/grants.ts';
import type { PrivilegeIncrease } from '../../access/privilege-increases/increase-words.ts';
import { howConfirmed } from '../../access/privilege-increases/origin-words.ts';
import { type CommandContext, type CommandOutcome, done, refused } from '../command.ts';
import { standingOf } from '../commands/connection-view.ts';
import { saveConnection } from '../commands/connections-save.ts';
import type { AppliedPolicyView } from '../messages/policy.ts';
import { requesterWords } from '../requester-words.ts';
import { beforeOf } from '../standing-grants.ts';
import type { PolicyDifference } from './difference.ts';
import { PartlyApplied, tellApplied } from './partly-applied.ts';

/**
 * @param widens false for what gives clients no more alone.
 * @param file remembered once what was asked for has applied.
 * @throws PartlyApplied
 */
export async function applyDifference(
  difference: PolicyDifference,
  widens: boolean,
  file: Omit<AppliedPolicyView, 'at'>,
  context: CommandContext,
): Promise<CommandOutcome<null>> {
  const { ports } = context;
  let applied = 0;
  try {
    const outcome = await applyEach(difference, widens, context, count => {
      applied += count;
    });
    await ports.activity.flush();
    if (outcome.kind === 'refused') return applied === 0 ? outcome : tellApplied(outcome, applied);
    await ports.policyFile.remember({ ...file, at: new Date(ports.now()).toISOString() });
    return outcome;
  } catch (error) {
    if (applied === 0) throw error;
    await ports.activity.flush().catch(() => {});
    throw new PartlyApplied(applied, error);
  }
}

async function applyEach(
  { connections, settings }: PolicyDifference,
  widens: boolean,
  context: CommandContext,
  applies: (count: number) => void,
): Promise<CommandOutcome<null>> {
  const { ports, confirmedBy } = context;
  const given = { confirmedBy, at: new Date(context.at).toISOString() };
  const isOpen = confirmedBy !== null && isUnconfirmed({ confirmedBy });
  const client = `${await requesterWords(context)}${isOpen ? `, ${howConfirmed(null)}` : ''}`;
  const row = { category: 'admin', outcome: 'success', requestId: context.requestId, client } as const;
  // A connection without its own limit has the setting's, by which it was judged.
  for (const { former, narrow, whole, increase, changes } of connections) {
    const { connection: _, ...fields } = widens ? whole : narrow;
    const keys = changes.flatMap(change => (widens || !change.widens ? [change.key] : []));
    if (keys.length === 0) continue;
    const before = beforeOf(former, {}, ports);
    const saved = await saveConnection({ connection: former.id, ...fields }, context, former);
    if (saved.kind === 'refused') return saved;
    applies(keys.length);
    const { id, name } = saved.result;
    const said = `by a policy file; changed: ${[...new Set(keys)].join(', ')}; `;
    ports.activity.record({
      ...row,
      action: 'connection.change',
      connection: { id, name },
      ...standingOf(id, ports, said),
    });
    if (widens) await note(increase, { kind: 'connection', id }, before);
  }
  for (const { key, from, to, increase } of settings) {
    if (!widens && increase !== null) continue;
    // A string, not each key's sentence: those are no texts.
    if (ports.settings.current()[key] !== from)
      return refused(
        'changed_since',
        `The setting ${String(key)} has changed meanwhile, so it was not set; try again.`,
      );
    const before = beforeOf(null, { key }, ports);
    const set = await ports.settings.set(key, to);
    if (set.kind !== 'set') return refused('setting_not_applied', set.sentence, { setting: key });
    applies(1);
    ports.activity.record({ ...row, action: 'setting.change', reason: `by a policy file; ${key} is ${String(to)}` });
    if (widens) await note(increase, { kind: 'setting', id: key }, before);
  }
  return done(null);

  async function note(
    increase: PrivilegeIncrease | null,
    subject: { readonly kind: 'connection' | 'setting'; readonly id: string },
    before: ReturnType<typeof beforeOf>,
  ): Promise<void> {
    if (increase === null || given.confirmedBy === null) return;
    const { confirmedBy: by, at } = given;
    await ports.grants.note({ ...subject, confirmedBy: by, at, phrase: increase.phrase, before });
  }
}
