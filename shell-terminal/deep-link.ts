/**
 * Tells Sallyport's deep links apart (spec §2, §10). The daemon judges whether a pairing link is
 * valid.
 */

import { decodedItem } from '../shared/url-parts.ts';

type DeepLink = 'start' | 'pair' | 'unknown';

export function deepLinkKind(link: string): DeepLink {
  if (/^sallyport:\/\/integrations\/start-mcp\/?$/i.test(link)) return 'start';
  return /^sallyport:\/\/integrations\/pair\?/i.test(link) ? 'pair' : 'unknown';
}

/**
 * The scheme of a pairing link's redirect, in lower case; null for a web address, and if none can
 * be read.
 */
export function redirectScheme(link: string): string | null {
  const item = link
    .slice(link.indexOf('?') + 1)
    .split('&')
    .find(candidate => candidate.startsWith('redirect='));
  const redirect = decodedItem((item ?? '').slice('redirect='.length));
  const scheme = /^([a-z][a-z0-9+.-]{0,63}):/i.exec(redirect ?? '')?.[1]?.toLowerCase() ?? null;
  return scheme === 'http' || scheme === 'https' ? null : scheme;
}
