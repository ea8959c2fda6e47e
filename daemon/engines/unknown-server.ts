/** The identity of a server of which nothing is known or kept: each sign-in is the first. */

import { refusalOfStep, type SignInStep } from '../access/server-identity.ts';
import { type IdentityOf, IdentityRefused } from './server-identity.ts';

function judge(step: SignInStep): void {
  const refusal = refusalOfStep(null, step, true, true);
  if (refusal !== null) throw new IdentityRefused(refusal);
}

export const unknownServer: IdentityOf = () => ({
  chosenAddress: () => null,
  wantsKey: () => true,
  judge,
  signedIn: async step => judge(step),
});
