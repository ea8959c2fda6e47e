/**
 * The authorities of this machine beside those that Node brings. A company's own authority is known
 * to every program of a machine, and OpenSSL's clients believe it.
 */

import { getCACertificates, setDefaultCACertificates } from 'node:tls';

let isDone = false;

/**
 * Makes each later handshake that names no authority trust the system's. Reading them takes some
 * 0.1 s and 10 MB, so it waits for the first server that is verified by them.
 */
export function trustSystemAuthorities(): void {
  if (isDone) return;
  setDefaultCACertificates([...new Set([...getCACertificates('default'), ...getCACertificates('system')])]);
  isDone = true;
}
