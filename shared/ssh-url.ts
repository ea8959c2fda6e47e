/**
 * Reads a pasted connection, also one whose URL names an SSH tunnel:
 * `postgresql+ssh://user@bastion:22/dbuser@dbhost/database`, as TablePlus writes it.
 */

import { parseConnectionUrl } from './connection-url.ts';
import type { SshTunnelView } from './control-commands.ts';
import { sshHopIn } from './ssh-hop.ts';
import { type ParsedConnection, type PathBase, type RefusedUrl, refusedUrl } from './url-parts.ts';

export type TunnelledUrl = (ParsedConnection & { readonly tunnel?: SshTunnelView | undefined }) | RefusedUrl;

const form = /^(?:jdbc:)?([a-z][a-z0-9._-]{0,30})\+ssh:\/\/([^/?#]*)(?:\/(.*))?$/i;

export function parseTunnelledUrl(typed: string, base: PathBase): TunnelledUrl {
  // Quotes that were copied along.
  const text = typed.trim().replace(/^["'`](.*)["'`]$/s, '$1');
  const [, scheme, hop = '', rest = ''] = form.exec(text) ?? [];
  if (scheme === undefined) return parseConnectionUrl(typed, base);
  if (hop.includes(':') && hop.lastIndexOf('@') > hop.indexOf(':'))
    return refusedUrl('The URL has an SSH password in it; leave it out, and give it with --ssh-password-stdin.');
  if (sshHopIn(hop) === null || rest === '') {
    return refusedUrl(
      'After +ssh:// write the SSH server, then the database, as in postgresql+ssh://user@bastion/dbuser@dbhost/database.',
    );
  }
  const parsed = parseConnectionUrl(`${scheme}://${rest}`, base);
  if (parsed.kind === 'refused') return parsed;
  if (parsed.endpoint.host === null) return refusedUrl('An SSH tunnel reaches a host, not a socket.');
  return { ...parsed, tunnel: { kind: 'ssh', destination: hop, jumps: [], keyFile: null } };
}
