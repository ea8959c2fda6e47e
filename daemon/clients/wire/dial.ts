/** Opens a program's session with the server, within its time. */

import type { ResolvedConnection } from '../../access/resolve-connection.ts';
import type { Answer, CallContext, WireSession } from '../../engines/engine.ts';
import type { CallPorts } from '../../statement/call.ts';
import { wireLimits } from './wire-limits.ts';

export async function dialInTime(
  ports: Pick<CallPorts, 'databases'> & { readonly report: (error: unknown) => void },
  resolved: ResolvedConnection,
  context: CallContext,
): Promise<Answer<WireSession>> {
  const late = AbortSignal.timeout(wireLimits.dialMilliseconds);
  const signal = AbortSignal.any([context.signal, late]);
  const seconds = wireLimits.dialMilliseconds / 1_000;
  const dialling: Promise<Answer<WireSession>> =
    ports.databases.of(resolved.connection).openWire?.({ ...context, signal }) ??
    Promise.resolve({ kind: 'unsupported', message: 'Its engine has another protocol.' });
  const given = await Promise.race([
    dialling,
    new Promise<null>(resolve => signal.addEventListener('abort', () => resolve(null), { once: true })),
  ]);
  if (given !== null && !(given.kind === 'cancelled' && late.aborted)) return given;
  void dialling.then(one => one.kind === 'done' && one.value.line.destroy()).catch(ports.report);
  return late.aborted ? { kind: 'no_answer', stage: 'sign_in', seconds } : { kind: 'cancelled' };
}
