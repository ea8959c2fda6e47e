/** `changes.follow` (spec §11 Pushed): from then on the asking shell is told when connections, tokens or settings have changed. */

import * as z from 'zod';
import { command, done } from '../command.ts';
import { tellOfChanges } from '../list-changes.ts';

export const followChanges = command<'changes.follow'>(z.strictObject({}), (_, { ports, listChanges, follow }) => {
  follow('changes', notify => tellOfChanges(listChanges, notify, ports.limits.changesPauseMilliseconds));
  return done({ following: true });
});
