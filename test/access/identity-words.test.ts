/** The words of each refusal of a server: the suites of sign-in take them from the program. */

import { expect, test } from '@jest/globals';
import { identitySentences } from '../../daemon/engines/server-identity.ts';

test('each refusal of a server says what is another than before, or what is not proved', () => {
  expect(identitySentences).toEqual({
    password_would_show: 'the server asks for the password itself, and nothing proves who would read it',
    not_tested: 'nobody has tested this connection yet, and its server lets in without a proof',
    unknown_key: 'the server asks for the password itself, with a key that nobody has confirmed',
    another_key: 'the server has another key than before, so somebody else may answer in its place',
    another_owner: 'the socket belongs to another user than before, so somebody else may answer in its place',
    tls_gone: 'the server had TLS before and has none now, so somebody else may answer in its place',
    binding_gone:
      'the server no longer proves that it is the other end of the TLS line, so somebody else may answer in its place',
    weaker_method: 'the server asks for a weaker sign-in than before, so somebody else may answer in its place',
    relayed: 'somebody is between: the server proved another TLS certificate than the one shown here',
    asks_nothing:
      'the server asked for the password before and no longer does, so somebody else may answer in its place',
  });
});
