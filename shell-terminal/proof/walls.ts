/** Counts the walls that hold each kind of attack, and lays them out. */

import { shellWord } from '../../shared/client-configs.ts';
import type { ConnectionProof } from '../../shared/control-commands.ts';
import { shownText } from '../../shared/shown-text.ts';
import { type Cell, table } from '../table.ts';
import { styled, type Terminal, widthOf, wrapped } from '../terminal.ts';
import { attackWords, type ProvedRight, rightWords, wallWords } from './words.ts';

type Attack = ConnectionProof['attacks'][number];

/**
 * How many walls hold an attack, from 0 to 3; an engine without accounts has two. Null for a kind
 * that the connection's level mostly allows: it runs in a session that may write, so neither of the
 * first two walls is meant to hold it. What passed the guard as less than it is, no level allowed.
 */
export function wallsOf(attack: Attack, level: ConnectionProof['level']): Walls {
  const { tried, passed, session, account } = attack;
  const isAllowed = isMostlyAllowed(attack, level);
  if (isAllowed && passed.length === 0) return null;
  const guard = tried > 0 && passed.length === 0;
  const held = [guard, session?.passed === 0 && !isAllowed, account?.passed === 0].filter(Boolean).length;
  return held as Walls;
}

const isMostlyAllowed = ({ tried, writes }: Attack, level: ConnectionProof['level']): boolean =>
  level === 'readWrite' && 2 * writes > tried;

export type Walls = 0 | 1 | 2 | 3 | null;

export function wallLines(terminal: Terminal, proof: ConnectionProof): string[] {
  const hasAccount = proof.rights !== null;
  const columns: Record<string, (attack: Attack) => Cell> = {
    'AN AGENT MIGHT': ({ kind }) => attackWords[kind],
    TRIED: ({ tried, untried }) => (untried === 0 ? String(tried) : `${tried}/${tried + untried}`),
    GUARD: attack => guardCell(attack, proof.level === 'readWrite'),
    SERVER: attack => {
      if (isMostlyAllowed(attack, proof.level)) return 'no read';
      return attack.session === null ? 'no wall' : measuredCell(attack.session, 'refuses', 'no wall');
    },
    ...(hasAccount && {
      ACCOUNT: ({ account }: Attack) => measuredCell(account ?? { passed: 0, of: 0 }, 'may not', 'may'),
    }),
    'HELD BY': attack => {
      const walls = wallsOf(attack, proof.level);
      if (walls === null) return 'your level';
      return { text: wallWords[walls], style: walls > 1 ? 'green' : 'yellow' };
    },
  };
  return table(terminal, proof.attacks, columns, 'AN AGENT MIGHT');
}

function guardCell({ tried, passed, writes }: Attack, mayWrite: boolean): string {
  if (tried === 0) return 'not tried';
  if (passed.length > 0) return `${passed.length} pass`;
  return mayWrite && writes > 0 ? `${writes} allowed` : 'refuses';
}

/** Measured on our own servers, with the guard off, for an account like this one. */
function measuredCell({ passed, of }: NonNullable<Attack['session']>, none: string, all: string): string {
  if (passed === 0) return none;
  return passed >= of ? all : `${passed} pass`;
}

/** What the account could do if guard and session failed, each with what ends it. */
export function rightLines(terminal: Terminal, connection: string, rights: readonly ProvedRight[]): string[] {
  const columns = widthOf(terminal.stdout);
  return rights.flatMap(right => {
    const more = right.more === 0 ? '' : ` and ${right.more} more`;
    const what = `It ${rightWords[right.code]} ${right.on.join(', ')}${more}.`;
    const end = right.revoke === null ? 'Another role that owns nothing ends it.' : `${right.revoke};`;
    const indented = (text: string, by: number): readonly string[] =>
      wrapped(shownText(text), columns === null ? null : columns - by, '').map(line => ' '.repeat(by) + line);
    // Nobody should take the rights of the server's only superuser.
    const other = `\`sallyport connections role ${shellWord(connection)}\` prints the SQL for a role that may not.`;
    return [
      ...indented(what, 2),
      ...(right.code === 'everything' ? indented(other, 4) : []),
      ...indented(end, 4).map(line => styled(terminal, 'dim', line)),
    ];
  });
}
