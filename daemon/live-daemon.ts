/** Asks whether a daemon answers on a control socket, for one that didn't get the lock. Believes nothing it says. */

import { connect } from 'node:net';
import { controlProtocolVersion } from '../shared/control.ts';
import { LineSplitter } from '../shared/lines.ts';
import { newNonce } from '../shared/proofs.ts';

export function answersIdentify(socketPath: string, waitMilliseconds: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(socketPath);
    const lines = new LineSplitter(16_384);
    const finish = (answered: boolean): void => {
      socket.destroy();
      resolve(answered);
    };
    socket.setTimeout(waitMilliseconds, () => finish(false));
    socket.on('error', () => finish(false));
    socket.on('close', () => resolve(false));
    socket.on('connect', () => {
      const params = { nonce: newNonce(), protocol: controlProtocolVersion };
      socket.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'identify', params })}\n`);
    });
    socket.on('data', chunk => {
      if (lines.push(chunk).length > 0) finish(true);
    });
  });
}
