/**
 * The system calls that a box may not make, as a seccomp program for bubblewrap: those that reach
 * what no namespace separates. Makes bytes; loads nothing.
 */

/** Of linux/audit.h and the kernel's tables of system calls. */
const numbers: Readonly<Partial<Record<NodeJS.Architecture, Readonly<Record<Name, number>>>>> = {
  x64: { architecture: 0xc000_003e, ioctl: 16, addKey: 248, requestKey: 249, keyctl: 250 },
  arm64: { architecture: 0xc000_00b7, ioctl: 29, addKey: 217, requestKey: 218, keyctl: 219 },
};
type Name = 'architecture' | 'ioctl' | 'addKey' | 'requestKey' | 'keyctl';

/** TIOCSTI types into the terminal, TIOCLINUX pastes into a console. */
const typingRequests = [0x5412, 0x541c];
/** From here on x86-64 has the numbers of another binary interface. */
const otherNumbers = 0x4000_0000;

const load = 0x20;
const jumpIfEqual = 0x15;
const jumpIfAtLeast = 0x35;
const answer = 0x06;
type Answer = keyof typeof answers;
/** A step of the filter. Without a place to jump to, the next step follows. */
interface Step {
  readonly code: number;
  readonly value: number;
  readonly ifTrue?: Answer;
  readonly ifFalse?: Answer;
}

/** In struct seccomp_data. An ioctl's request has 32 bits: its low half. */
const offsets = { number: 0, architecture: 4, ioctlRequest: 24 } as const;
const answers = { allow: 0x7fff_0000, notPermitted: 0x0005_0001, noSuchCall: 0x0005_0026 } as const;

/**
 * @param architecture as `process.arch` names it.
 * @returns classic BPF in the machine's byte order; null for a processor that isn't known.
 */
export function syscallFilter(architecture: NodeJS.Architecture): Buffer | null {
  const known = numbers[architecture];
  if (known === undefined) return null;
  const { architecture: own, ioctl, ...keyCalls } = known;
  const steps: readonly Step[] = [
    { code: load, value: offsets.architecture },
    { code: jumpIfEqual, value: own, ifFalse: 'noSuchCall' },
    { code: load, value: offsets.number },
    { code: jumpIfAtLeast, value: otherNumbers, ifTrue: 'noSuchCall' },
    ...Object.values(keyCalls).map(value => ({ code: jumpIfEqual, value, ifTrue: 'notPermitted' }) as const),
    { code: jumpIfEqual, value: ioctl, ifFalse: 'allow' },
    { code: load, value: offsets.ioctlRequest },
    ...typingRequests.map(value => ({ code: jumpIfEqual, value, ifTrue: 'notPermitted' }) as const),
  ];
  // The answers follow; the first is where the last step leads to if it doesn't jump.
  const ends = ['allow', 'notPermitted', 'noSuchCall'] as const;
  const program = Buffer.alloc((steps.length + ends.length) * 8);
  const write = (at: number, code: number, ifTrue: number, ifFalse: number, value: number): void => {
    program.writeUInt16LE(code, at * 8);
    program.writeUInt8(ifTrue, at * 8 + 2);
    program.writeUInt8(ifFalse, at * 8 + 3);
    program.writeUInt32LE(value, at * 8 + 4);
  };
  const distance = (at: number, to: Answer | undefined): number =>
    to === undefined ? 0 : steps.length + ends.indexOf(to) - at - 1;
  for (const [at, { code, value, ifTrue, ifFalse }] of steps.entries())
    write(at, code, distance(at, ifTrue), distance(at, ifFalse), value);
  for (const [at, end] of ends.entries()) write(steps.length + at, answer, 0, 0, answers[end]);
  return program;
}
