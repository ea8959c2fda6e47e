/**
 * Opens the address that answers a pairing (spec §10): through the desktop, or by fetching a
 * loopback address if there is no desktop. Its code is worthless without its verifier, so other
 * programs may see it.
 */

import { spawn } from 'node:child_process';
import { get, type IncomingMessage } from 'node:http';
import { get as getSecurely } from 'node:https';
import type { LookupFunction } from 'node:net';
import type { Terminal } from './terminal.ts';

export type AddressOpening =
  | { readonly kind: 'opened' }
  /**
   * `unclear` if something took the request, and may have read the code. The problem is a sentence
   * without a full stop.
   */
  | { readonly kind: 'failed' | 'unclear'; readonly problem: string };

const openerMilliseconds = 5_000;
const fetchMilliseconds = 10_000;

export async function openAddress({ environment }: Terminal, address: string): Promise<AddressOpening> {
  const opener = openerFor(environment);
  if (opener !== null && (await launched(opener, address))) return { kind: 'opened' };
  if (/^https?:/i.test(address)) return fetched(address);
  return {
    kind: 'failed',
    problem: `there is no desktop here that could open ${address.slice(0, address.indexOf(':'))}: addresses`,
  };
}

/** Without a display, xdg-open would start a browser in this terminal. */
function openerFor({ DISPLAY, WAYLAND_DISPLAY }: Terminal['environment']): string | null {
  if (process.platform === 'darwin') return '/usr/bin/open';
  return DISPLAY || WAYLAND_DISPLAY ? 'xdg-open' : null;
}

/** If it still runs after a while, it is the browser itself. */
function launched(opener: string, address: string): Promise<boolean> {
  return new Promise(resolve => {
    const child = spawn(opener, [address], { stdio: 'ignore', detached: true });
    const patience = setTimeout(() => resolve(true), openerMilliseconds);
    child.once('error', () => {
      clearTimeout(patience);
      resolve(false);
    });
    child.once('exit', code => {
      clearTimeout(patience);
      resolve(code === 0);
    });
    child.unref();
  });
}

const loopbackHosts: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** `localhost` is this machine, whatever a name server or a hosts file says. */
const lookUpLocalhost: LookupFunction = (_name, options, callback) => {
  const found = [
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ];
  if (options.all) callback(null, found);
  else callback(null, '127.0.0.1', 4);
};

/**
 * Any answer comes from the client, which has the code by then; redirects aren't followed.
 * Certificates aren't checked: only this machine can answer, and no authority signs loopback names.
 */
function fetched(address: string): Promise<AddressOpening> {
  return new Promise(resolve => {
    let isTaken = false;
    const failed = (problem: string): void => resolve({ kind: isTaken ? 'unclear' : 'failed', problem });
    const { protocol, hostname, host } = new URL(address);
    const isSecure = protocol === 'https:';
    // The daemon has checked it already. Certificates go unchecked here because of it, so it is
    // checked again.
    if (!loopbackHosts.has(hostname)) return failed(`${host} is not this machine`);
    const options = {
      agent: false,
      timeout: fetchMilliseconds,
      lookup: lookUpLocalhost,
      autoSelectFamily: true,
    };
    const answered = (response: IncomingMessage): void => {
      const status = response.statusCode ?? 0;
      response.destroy();
      if (status < 400) resolve({ kind: 'opened' });
      else failed(`the client at ${host} answered with HTTP ${status}`);
    };
    const request = isSecure
      ? getSecurely(address, { ...options, rejectUnauthorized: false }, answered)
      : get(address, options, answered);
    request.once('socket', socket =>
      // Until then no byte of the request has left.
      socket.once(isSecure ? 'secureConnect' : 'connect', () => {
        isTaken = true;
      }),
    );
    request.once('timeout', () => request.destroy(new Error('no answer in time')));
    request.once('error', () => {
      const taken = `the client at ${host} took the request and gave no answer`;
      failed(isTaken ? taken : `the client did not answer at ${host}`);
    });
  });
}
