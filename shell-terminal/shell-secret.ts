/** Reads the secret this shell proves itself by, where the home keeps its secrets in a file (SPEC §1). Changes nothing. */

import { readPrivateFile } from '../shared/private-files.ts';

export type ShellSecret =
  | { readonly kind: 'found'; readonly secret: string }
  /** No daemon has made one in this home yet. */
  | { readonly kind: 'absent' }
  | { readonly kind: 'unusable'; readonly problem: string };

const maxSecretsBytes = 64 * 1024 * 1024;

export function readShellSecret(secretsPath: string): ShellSecret {
  const file = readPrivateFile(secretsPath, maxSecretsBytes);
  if (file.kind === 'absent') return { kind: 'absent' };
  if (file.kind === 'untrusted') return { kind: 'unusable', problem: `The secrets can't be read: ${file.problem}.` };
  return secretIn(file.text, secretsPath);
}

function secretIn(text: string, path: string): ShellSecret {
  let content: { version?: unknown; secrets?: Record<string, unknown> } | null;
  try {
    content = JSON.parse(text);
  } catch {
    content = null;
  }
  if (content?.version !== 1) {
    return {
      kind: 'unusable',
      problem: `${path} is not in the form this version of Sallyport knows; update or restore it.`,
    };
  }
  const secret = content.secrets?.['shell/secret'];
  return typeof secret === 'string' && secret !== '' ? { kind: 'found', secret } : { kind: 'absent' };
}
