/**
 * A thread of the child that ends the process once the daemon is gone, for whatever reason. The
 * daemon holds the other end of descriptor 3 and never writes to it; the kernel closes it even
 * after kill -9. The end of stdin isn't enough: the main thread may be inside SQLite for minutes.
 */

import { Socket } from 'node:net';

const lifeline = new Socket({ fd: 3, readable: true, writable: false });
const die = () => process.kill(process.pid, 'SIGKILL');
lifeline.on('end', die).on('error', die).on('close', die).resume();
