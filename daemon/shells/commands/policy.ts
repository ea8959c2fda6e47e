/**
 * `policy.show`, `policy.compare` and `policy.apply` (spec §6): a policy that a person keeps in a
 * file. A shell reads the file once and sends what it says, so what is shown, confirmed and applied
 * are the same bytes.
 */

import * as z from 'zod';
import { fact, type PrivilegeIncrease } from '../../access/privilege-increases/increase-words.ts';
import { type CommandContext, type CommandOutcome, command, done, invalidField, looks } from '../command.ts';
import { policyDifference, policyHeld } from '../messages/policy.ts';
import { applyDifference } from '../policy/apply.ts';
import { differenceOf, type PolicyDifference } from '../policy/difference.ts';
import { isFault, type PolicyFault, readPolicy } from '../policy/file.ts';
import { viewOfDifference, viewOfHeld } from '../policy/views.ts';
import { nothing } from './shapes.ts';

const mostCharacters = 262_144;

/** JSON: what the file says. */
const policy = z
  .string('a policy is expected')
  .max(mostCharacters, `a policy has at most ${mostCharacters} characters`);

const file = z.strictObject({
  path: z
    .string('a path is expected')
    .max(4_096, 'a path has at most 4096 characters')
    .regex(/^\/[^\p{C}]*$/u, 'an absolute path of printable characters is expected'),
  digest: z.string('a digest is expected').regex(/^[0-9a-f]{64}$/, 'a digest is expected'),
});

export const policyShow = command('policy.show', {
  shape: nothing,
  result: policyHeld,
  ...looks,
  run: (_, { ports }) => done(viewOfHeld(ports)),
});

export const policyCompare = command('policy.compare', {
  shape: z.strictObject({ policy }),
  result: policyDifference,
  ...looks,
  run: (asked, context) => {
    const found = differs(asked, context);
    return isFault(found) ? refusedBy(found) : done(viewOfDifference(found));
  },
});

/** Answers what still waits for its person: nothing, where `widens`. */
export const policyApply = command('policy.apply', {
  shape: z.strictObject({
    policy,
    file,
    /** False: what gives clients no more alone. */
    widens: z.boolean('true or false is expected'),
  }),
  result: policyDifference,
  privilegeIncrease: (asked, context) => {
    if (!asked.widens) return null;
    const found = differs(asked, context);
    return isFault(found) ? null : increaseOf(found, asked.file.path);
  },
  refuses: (asked, context) => {
    const found = differs(asked, context);
    return isFault(found) ? refusedBy(found) : null;
  },
  // A row for each connection and setting.
  records: 'itself',
  run: (asked, context) => {
    // Before its turn: what was confirmed lifts no brake that lands meanwhile.
    const judged = differs(asked, context);
    if (isFault(judged)) return refusedBy(judged);
    return context.changes(async () => {
      const applied = await applyDifference(judged, asked.widens, asked.file, context);
      if (applied.kind === 'refused') return applied;
      const left = differs(asked, context);
      return isFault(left) ? refusedBy(left) : done(viewOfDifference(left));
    });
  },
});

type Asked = { readonly policy: string };

function differs({ policy: text }: Asked, { ports, at }: Pick<CommandContext, 'ports' | 'at'>) {
  const read = readPolicy(text);
  return isFault(read) ? read : differenceOf(read, ports, at);
}

function refusedBy(fault: PolicyFault): CommandOutcome<never> {
  return invalidField(fault);
}

const mostPhrases = 3;

/** One question for all of them. */
function increaseOf({ connections, settings }: PolicyDifference, path: string): PrivilegeIncrease | null {
  const parts = [...connections, ...settings].flatMap(({ increase }) => increase ?? []);
  if (parts.length === 0) return null;
  const more = parts.length - mostPhrases;
  const told = parts.slice(0, mostPhrases).map(({ phrase }) => phrase);
  const phrases = more > 0 ? [...told, `gives more in ${more} other ${more === 1 ? 'place' : 'places'}`] : told;
  return {
    phrase: phrases.join('; it '),
    facts: [fact('Policy file', path), ...parts.flatMap(({ facts }) => facts)],
  };
}
