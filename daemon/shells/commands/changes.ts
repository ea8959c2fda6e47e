/**
 * `changes.follow` (spec §11 Pushed): from then on the asking shell is told when connections,
 * tokens or settings have changed.
 */

import { command, done, looks } from '../command.ts';
import { tellOfChanges } from '../list-changes.ts';
import { following } from '../messages/pushed.ts';
import { nothing } from './shapes.ts';

/** However often they change, it is told at most some times a second. Ends with its connection. */
export const changesFollow = command('changes.follow', {
  shape: nothing,
  result: following,
  ...looks,
  run: (_, { ports, listChanges, follow }) => {
    follow('changes', notify => tellOfChanges(listChanges, notify, ports.limits.changesPauseMilliseconds));
    return done({ following: true });
  },
});
