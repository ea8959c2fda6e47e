import { describe, expect, it } from '@jest/globals';
import { wellFormedJson } from '../../daemon/shells/socket/well-formed-json.ts';

describe('a message for a shell', () => {
  it.each([
    ['a half pair', 'half \ud800 \udc00 end', 'half \ufffd \ufffd end'],
    ['a half pair before a whole one', '\ud800🐚', '\ufffd🐚'],
    ['whole characters and a written escape', '🐚 \\ud800 é', '🐚 \\ud800 é'],
  ])('holds whole characters only: %s', (_what, text, shown) => {
    const message = { params: { statement: [text], count: 2 } };
    expect(JSON.parse(wellFormedJson(message))).toEqual({ params: { statement: [shown], count: 2 } });
    expect(wellFormedJson(message)).toContain('count');
  });
});
