/** Every bound on judging, each with its reason. */

export interface JudgingLimits {
  /** How long a statement may be judged. Honest ones near 100 KB take 50 to 80 ms on an idle machine. */
  readonly firstMilliseconds: number;
  /** Once more, on a thread that judged nothing before: the machine may have been busy. */
  readonly secondMilliseconds: number;
  /** A statement that takes this long will likely overrun, so its thread's successor starts. */
  readonly slowMilliseconds: number;
  /** How long a principal whose statement was late is judged apart from others. */
  readonly lateMilliseconds: number;
  /** How long a statement waits for its turn before it is refused. */
  readonly waitMilliseconds: number;
  /** Judging a principal may take in each second: what `limits.requestsPerMinute` honest statements of 100 KB each would take. */
  readonly shareMillisecondsPerSecond: number;
  /** What one overrun costs its principal besides: the processor time of the thread's replacement. */
  readonly replacementMilliseconds: number;
  /** What a principal may take at once before its share holds it back: one statement's two tries, and a dozen honest long ones. */
  readonly burstMilliseconds: number;
  /** A start, or the loading of one grammar: each takes 0.1 s at most, and some times that on a busy machine. */
  readonly startMilliseconds: number;
  /** A thread with its grammars holds some 25 MB. */
  readonly idleMilliseconds: number;
  readonly spareIdleMilliseconds: number;
  /** Of the whole daemon. Parsers keep what a long text took: a thread that judged one ends where there is more than this. */
  readonly residentBytes: number;
  /** Characters. A shorter one leaves next to nothing, and ending its thread would have others wait for a new one. */
  readonly longText: number;
  /** Of JavaScript alone, in one thread: of 100 KB of lists, rows, names and operators none took 32 MB. */
  readonly heapMegabytes: number;
  /** What Node's main thread has (984 KB), so that nesting is judged alike in both; Node takes 192 KB off for itself. */
  readonly stackMegabytes: number;
  readonly rememberedVerdicts: number;
  readonly rememberedBytes: number;
  /** Of one verdict with its text: longer ones are rarely asked again, and would drive out many short ones. */
  readonly rememberedVerdictBytes: number;
}

export const judgingLimits: JudgingLimits = {
  firstMilliseconds: 250,
  secondMilliseconds: 1_000,
  slowMilliseconds: 50,
  lateMilliseconds: 30_000,
  waitMilliseconds: 10_000,
  shareMillisecondsPerSecond: 250,
  replacementMilliseconds: 250,
  burstMilliseconds: 1_500,
  startMilliseconds: 10_000,
  idleMilliseconds: 300_000,
  spareIdleMilliseconds: 5_000,
  residentBytes: 170 * 1024 * 1024,
  longText: 16_384,
  heapMegabytes: 40,
  stackMegabytes: (984 + 192) / 1024,
  rememberedVerdicts: 2_000,
  rememberedBytes: 4 * 1024 * 1024,
  rememberedVerdictBytes: 32 * 1024,
};
