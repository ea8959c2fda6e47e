/**
 * Answers what ssh asks while it signs in: a host key that a person confirmed, the passphrase of
 * the connection's key, the password of its user; each once, and nothing else. Without a terminal
 * ssh starts the script below, which talks to us over its stderr: one unnamed socket that nobody
 * else can open.
 */

import type { HostKeyView } from '../../../shared/control-commands.ts';

/** @param mark unknown to servers, so nothing that ssh prints for one can pass for a question. */
export function askpassScript(mark: string): string {
  return `#!/bin/sh
printf '\n%s %s\n%s\n%s\n' '${mark}' "$SSH_ASKPASS_PROMPT" "$1" '${mark}' >&2
IFS= read -r answer <&2
case $answer in y*) printf '%s\n' "\${answer#y}" ;; *) exit 1 ;; esac
`;
}

/** Extracts the questions from ssh's output. */
export function questionsIn(mark: string): (written: string) => { text: string; questions: readonly string[] } {
  let pending = '';
  return written => {
    pending += written;
    const questions: string[] = [];
    let text = '';
    for (;;) {
      const begin = pending.indexOf(`\n${mark} `);
      const end = begin < 0 ? -1 : pending.indexOf(`\n${mark}\n`, begin + 1);
      if (begin < 0 || end < 0) {
        // The start of a mark may still be on its way.
        const line = pending.lastIndexOf('\n');
        const cut = begin >= 0 ? begin : line < 0 ? pending.length : line;
        text += pending.slice(0, cut);
        pending = pending.slice(cut);
        return { text, questions };
      }
      text += pending.slice(0, begin);
      const asked = pending.slice(begin + mark.length + 2, end);
      const line = asked.indexOf('\n');
      // A message (`none`) or a request for a click (`confirm`) is no question for us.
      questions.push(asked.slice(0, line) === '' ? asked.slice(line + 1) : '');
      pending = pending.slice(end + mark.length + 2);
    }
  };
}

export type Question =
  | { readonly kind: 'hostKey'; readonly key: HostKeyView }
  | { readonly kind: 'passphrase'; readonly keyFile: string }
  | { readonly kind: 'password' }
  | { readonly kind: 'other' };

const authenticity =
  /^The authenticity of host '(?<host>[^'\n]{1,600})' can't be established\.\n(?<type>\S{1,40}) key fingerprint is (?<fingerprint>SHA256:[\w+/=]{20,100})\./;

export function questionOf(prompt: string): Question {
  const { host, type, fingerprint } = authenticity.exec(prompt)?.groups ?? {};
  if (host !== undefined && type !== undefined && fingerprint !== undefined && prompt.includes('[fingerprint]'))
    return { kind: 'hostKey', key: { host, type, fingerprint } };
  const [, keyFile] = /^Enter passphrase for key '(.{1,4096})': ?$/.exec(prompt) ?? [];
  if (keyFile !== undefined) return { kind: 'passphrase', keyFile };
  return /^\S{1,400}'s password: ?$/.test(prompt) ? { kind: 'password' } : { kind: 'other' };
}
