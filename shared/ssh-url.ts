/**
 * A connection as people paste it, with the SSH tunnel that its URL may say:
 * `postgresql+ssh://user@bastion:22/dbuser@dbhost/database`, as TablePlus writes it.
 */

import { parseConnectionUrl } from './connection-url.ts';
import type { SshTunnelView } from './control-commands.ts';
import { sshHopIn } from './ssh-hop.ts';
import { type ParsedConnection, type PathBase, type RefusedUrl, refusedUrl } from './url-parts.ts';

export type TunnelledUrl = (ParsedConnection & { readonly tunnel?: SshTunnelView | undefined }) | RefusedUrl;

const form = /^(?:jdbc:)?([a-z][a-z0-9._-]{0,30})\+ssh:\/\/([^/?#]*)(?:\/(.*))?$/i;

export function parseTunnelledUrl(typed: string, base: PathBase): TunnelledUrl {
  // As they come along when it is copied.
  const text = typed.trim().replace(/^["'`](.*)["'`]$/s, '$1');
  const [, scheme, hop = '', rest = ''] = form.exec(text) ?? [];
  if (scheme === undefined) return parseConnectionUrl(typed, base);
  if (hop.includes(':') && hop.lastIndexOf('@') > hop.indexOf(':'))
    return refusedUrl('The URL has an SSH password in it; leave it out, and give it with --ssh-password-stdin.');
  if (sshHopIn(hop) === null || rest === '') {
    return refusedUrl(
      'Behind +ssh:// the SSH server is expected, then the database, as in postgresql+ssh://user@bastion/dbuser@dbhost/database.',
    );
  }
  const parsed = parseConnectionUrl(`${scheme}://${rest}`, base);
  if (parsed.kind === 'refused') return parsed;
  if (parsed.endpoint.host === null) return refusedUrl('Through an SSH tunnel a host is reached, not a socket.');
  return { ...parsed, tunnel: { kind: 'ssh', destination: hop, jumps: [], keyFile: null } };
}
