/**
 * The exchange in which a server learns who we are (spec §6): the login, then what the server asks,
 * until its yes or no. Every answer is by `methods.ts`.
 */

import type { SignInStep } from '../../../access/server-identity.ts';
import { readError, type ServerError } from './answer-packets.ts';
import type { Greeting } from './greeting.ts';
import type { HandshakeLine } from './handshake-line.ts';
import { loginPacket } from './login-packets.ts';
import { type Asked, Exchange } from './methods.ts';
import { ProtocolViolation } from './packets.ts';

/** The server's own refusal. */
export class Refused extends Error {
  readonly number: number;

  constructor({ number, message }: ServerError) {
    super(message);
    this.number = number;
  }
}

/** First bytes of the server's packets. */
const kinds = { ok: 0x00, more: 0x01, switch: 0xfe, error: 0xff, salt: 0x50 } as const;

export interface Login {
  readonly user: string;
  readonly database: string | null;
  readonly program: string;
}

/**
 * @returns what the server has shown.
 * @throws Refused, UnknownMethod, ProtocolViolation, and what the judge throws
 */
export async function authenticate(
  line: HandshakeLine,
  greeting: Greeting,
  login: Login,
  asked: Asked,
): Promise<SignInStep> {
  const exchange = new Exchange(greeting, asked);
  const { method, answer } = exchange.begin();
  line.send(loginPacket(greeting, asked.shown.certificate !== null, { ...login, method, answer }));
  let hasSwitched = false;
  for (;;) {
    const packet = await line.packet();
    if (exchange.awaitsSalt && packet[0] === kinds.salt) {
      sendIfAny(line, exchange.more(packet));
      continue;
    }
    switch (packet[0]) {
      case kinds.ok:
        return exchange.end(packet);
      case kinds.error:
        throw new Refused(readError(packet));
      case kinds.more:
        sendIfAny(line, exchange.more(packet.subarray(1)));
        break;
      case kinds.switch:
        if (hasSwitched) throw new ProtocolViolation('it changed the way to sign in twice');
        hasSwitched = true;
        sendIfAny(line, exchange.switchTo(packet));
        break;
      default:
        throw new ProtocolViolation('it answered the sign-in with something else');
    }
  }
}

function sendIfAny(line: HandshakeLine, answer: Buffer | null): void {
  if (answer !== null) line.send(answer);
}
