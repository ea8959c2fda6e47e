/** All faults, in the order of the table. */

import type { Fault } from '../fault.ts';
import { clockAhead, clockBack } from './clocks.ts';
import { frozenServers, killedServers, killedSessions, personsLocks } from './database-servers.ts';
import { descriptors, fewDescriptors } from './descriptors.ts';
import { fullDisk, readOnlyHome } from './disk.ts';
import { editedLog } from './edited-log.ts';
import { kill, killAtStart, stop } from './kills.ts';
import { slowClients } from './slow-clients.ts';

export const faults: readonly Fault[] = [
  ...[kill, killAtStart, stop, fullDisk, readOnlyHome, descriptors, fewDescriptors, clockAhead, clockBack],
  ...[frozenServers, personsLocks, killedServers, killedSessions, slowClients, editedLog],
];
