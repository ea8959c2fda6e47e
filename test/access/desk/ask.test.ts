/** The moves of an ask's state: every state with every move, as a table. */

import { describe, expect, test } from '@jest/globals';
import { type Ask, type AskMove, type AskState, endOf, moved } from '../../../daemon/access/desk/ask.ts';

const moves: readonly AskMove[] = ['yes', 'no', 'run', 'timeout', 'cancelled', 'void', 'take', 'give_back', 'hold'];

/** As `moves`; `-` is no such move. A granted one has two runs left. */
const table: Readonly<Record<AskState, string>> = {
  waiting: 'granted refused ran gone gone gone - - waiting',
  granted: '- - - gone gone gone granted granted waiting',
  used: '- - - gone gone gone - granted waiting',
  ran: '- - - gone gone gone - waiting waiting',
  refused: '- - - gone gone gone - - -',
  gone: '- - - - - - - - -',
};

function askIn(state: AskState, runsLeft = state === 'granted' ? 2 : 0): Ask {
  return {
    id: 'id1',
    kind: 'request',
    asker: { id: 'a', group: null, lineage: [] },
    key: null,
    about: 'c1',
    facts: {},
    askedAt: 0,
    expiresAt: 1,
    times: 1,
    state,
    runsLeft,
    isOpened: true,
    bytes: 0,
  };
}

test.each(Object.entries(table))('what is %s moves so', (state, row) => {
  const found = moves.map(move => moved(askIn(state as AskState), move)?.state ?? '-');
  expect(found.join(' ')).toBe(row);
});

describe('the runs of a grant', () => {
  test.each([
    ['the last one uses it up', 'granted', 1, 'take', 'used', 0],
    ['one of several leaves the others', 'granted', 3, 'take', 'granted', 2],
    ['one that left nothing is given back', 'granted', 1, 'give_back', 'granted', 2],
    ['a grant that is used up has it again', 'used', 0, 'give_back', 'granted', 1],
    ['the person’s own run leaves no grant behind', 'ran', 0, 'give_back', 'waiting', 0],
    ['a held one leaves no grant behind', 'granted', 3, 'hold', 'waiting', 0],
  ] as const)('%s', (_, state, runsLeft, move, next, left) => {
    expect(moved(askIn(state, runsLeft), move)).toMatchObject({ state: next, runsLeft: left });
  });

  test('a host key’s grant has none', () => {
    expect(moved(askIn('granted', 0), 'take')).toBeNull();
  });
});

test('only a held one has to be opened again', () => {
  for (const move of moves)
    expect(moved(askIn('granted'), move)?.isOpened ?? null).toBe(
      table.granted.split(' ')[moves.indexOf(move)] === '-' ? null : move !== 'hold',
    );
});

test('whoever waits hears yes for a yes alone', () => {
  const heard = moves.map(endOf);
  expect(heard.filter(end => end === 'yes')).toEqual(['yes']);
  expect(heard).toEqual(['yes', 'no', 'cancelled', 'timeout', ...Array(5).fill('cancelled')]);
});
