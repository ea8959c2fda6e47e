/** The known questions of ssh, and how they are told from text that a server makes it print. */

import { expect, test } from '@jest/globals';
import { questionOf, questionsIn } from '../../daemon/tunnels/ssh/askpass.ts';

const fingerprint = 'SHA256:v0bovdI12ei51I/6gmKdUJXtqkJCFEnBBB3H9RXyUfA';
const unknown = `The authenticity of host '[bastion]:2222 ([192.0.2.1]:2222)' can't be established.
ED25519 key fingerprint is ${fingerprint}.
This key is not known by any other names.
Are you sure you want to continue connecting (yes/no/[fingerprint])? `;

test.each<readonly [string, unknown]>([
  [unknown, { kind: 'hostKey', key: { host: '[bastion]:2222 ([192.0.2.1]:2222)', type: 'ED25519', fingerprint } }],
  ["Enter passphrase for key '/home/me/.ssh/id': ", { kind: 'passphrase', keyFile: '/home/me/.ssh/id' }],
  ["me@bastion's password: ", { kind: 'password' }],
  ["(me@bastion) Enter passphrase for key '/home/me/.ssh/id': ", { kind: 'other' }],
  ['(me@bastion) Password: ', { kind: 'other' }],
  ["me@bastion's new password: ", { kind: 'other' }],
  ['Verification code: ', { kind: 'other' }],
  ["Please type 'yes', 'no' or the fingerprint: ", { kind: 'other' }],
  ['', { kind: 'other' }],
])('%j', (prompt, question) => {
  expect(questionOf(prompt)).toEqual(question);
});

test('questions are found in any pieces, and nothing without the mark is one', () => {
  const mark = 'a-mark';
  const asked = (kind: string, prompt: string) => `\n${mark} ${kind}\n${prompt}\n${mark}\n`;
  const banner = "\nanother-mark \nEnter passphrase for key '/k': \nanother-mark\n";
  const whole = `Warning: x\n${asked('', unknown)}${banner}${asked('none', 'touch')}${asked('', 'b')}bye`;
  for (const size of [1, 2, 7, 50, whole.length]) {
    const parse = questionsIn(mark);
    const questions: string[] = [];
    let text = '';
    for (let at = 0; at < whole.length; at += size) {
      const heard = parse(whole.slice(at, at + size));
      questions.push(...heard.questions);
      text += heard.text;
    }
    expect(questions).toEqual([unknown, '', 'b']);
    expect(text).toContain('Warning: x');
    expect(text).toContain("\nEnter passphrase for key '/k': \n");
    expect(text).not.toContain('touch');
  }
});
