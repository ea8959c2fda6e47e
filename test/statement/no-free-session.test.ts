import { expect, test } from '@jest/globals';
import { refusalOf } from '../../daemon/statement/failure-refusals.ts';

const shop = { name: 'shop', host: null, socketPath: null, filePath: null };

test.each([
  [
    { sessions: 9, own: 0 },
    'can-raise',
    'Nothing ran: all 9 sessions of "shop" were busy for 30 s, none of them with calls of your own. Send it again later, or give it longer with timeout_seconds.',
  ],
  [
    { sessions: 9, own: 0 },
    'fixed',
    'Nothing ran: all 9 sessions of "shop" were busy for 30 s, none of them with calls of your own. Send it again later.',
  ],
  [
    { sessions: 9, own: 7 },
    'can-raise',
    'Nothing ran: all 9 sessions of "shop" were busy for 30 s, 7 of them with calls of your own. Wait for one of your own to end, or cancel it, then send it again.',
  ],
  [
    { sessions: 8, own: 8 },
    'can-raise',
    'Nothing ran: all 8 sessions of "shop" were busy for 30 s, all of them with calls of your own. Wait for one of your own to end, or cancel it, then send it again.',
  ],
] as const)('%j, %s', (facts, time, sentence) => {
  expect(refusalOf({ kind: 'no_free_session', seconds: 30, ...facts }, shop, time)).toEqual({
    kind: 'tool_error',
    word: 'busy',
    sentence,
  });
});

test.each([
  [
    null,
    'Nothing ran: the server of "shop" takes no further connection now (it said: Too many connections). Send it again later.',
  ],
  [
    30,
    'Nothing ran: the server of "shop" takes no further connection now (it said: Too many connections), and none of Sallyport\'s own became free within 30 s. Send it again later, or give it longer with timeout_seconds.',
  ],
] as const)('refused by the server after %s s of waiting', (seconds, sentence) => {
  const failure = { kind: 'busy', why: { who: 'server', said: 'Too many connections', seconds } } as const;
  expect(refusalOf(failure, shop, 'can-raise')).toEqual({ kind: 'tool_error', word: 'busy', sentence });
});
