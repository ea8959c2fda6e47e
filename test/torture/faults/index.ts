/** All faults, in the order of the table. */

import type { Fault } from '../fault.ts';
import { bigTree } from './big-tree.ts';
import { clockAhead, clockBack } from './clocks.ts';
import { frozenServers, heldCommits, killedServers, killedSessions, personsLocks } from './database-servers.ts';
import { descriptors, fewDescriptors } from './descriptors.ts';
import { fullDisk, readOnlyHome } from './disk.ts';
import { editedLog } from './edited-log.ts';
import { fewSessions } from './few-sessions.ts';
import { frozenTunnels } from './frozen-tunnels.ts';
import { hangingPasswords } from './hanging-passwords.ts';
import { kill, killAtStart, stop } from './kills.ts';
import { manyBridges } from './many-bridges.ts';
import { slowClients } from './slow-clients.ts';

export const faults: readonly Fault[] = [
  ...[kill, killAtStart, stop, fullDisk, readOnlyHome, descriptors, fewDescriptors, clockAhead, clockBack],
  ...[frozenServers, personsLocks, killedServers, killedSessions, fewSessions, manyBridges, heldCommits, slowClients],
  ...[hangingPasswords, frozenTunnels, bigTree, editedLog],
];
