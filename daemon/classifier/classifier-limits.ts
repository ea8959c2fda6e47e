/** Every bound on classifying, each with its reason. */

export const classifierLimits = {
  /**
   * How long a statement may be classified. Honest ones near 100 KB take 50 to 80 ms on an idle
   * machine.
   */
  firstMilliseconds: 250,
  /** Once more, on a thread that classified nothing before: the machine may have been busy. */
  secondMilliseconds: 1_000,
  /** A statement that takes this long will likely overrun, so its thread's successor starts. */
  slowMilliseconds: 50,
  /** How long a principal whose statement was late is classified apart from others. */
  lateMilliseconds: 30_000,
  /** How long a statement waits for its turn before it is refused. */
  waitMilliseconds: 10_000,
  /**
   * Classifying a principal may take in each second: what `limits.requestsPerMinute` honest
   * statements of 100 KB each would take.
   */
  shareMillisecondsPerSecond: 250,
  /**
   * What one overrun costs its principal besides: the processor time of the thread's replacement.
   */
  replacementMilliseconds: 250,
  /**
   * What a principal may take at once before its share holds it back: one statement's two tries,
   * and a dozen honest long ones.
   */
  burstMilliseconds: 1_500,
  /**
   * A start, or the loading of one grammar: each takes 0.1 s at most, and some times that on a busy
   * machine.
   */
  startMilliseconds: 10_000,
  /** A thread with its grammars holds some 25 MB. */
  idleMilliseconds: 300_000,
  spareIdleMilliseconds: 5_000,
  /**
   * Of the whole daemon. Parsers keep what a long text took: a thread that classified one ends
   * where there is more than this.
   */
  residentBytes: 170 * 1024 * 1024,
  /**
   * Characters. A shorter one leaves next to nothing, and ending its thread would have others wait
   * for a new one.
   */
  longText: 16_384,
  /**
   * Of JavaScript alone, in one thread: of 100 KB of lists, rows, names and operators none took 32
   * MB.
   */
  heapMegabytes: 40,
  /**
   * What Node's main thread has (984 KB), so that nesting is classified alike in both; Node takes
   * 192 KB off for itself.
   */
  stackMegabytes: (984 + 192) / 1024,
  rememberedVerdicts: 2_000,
  rememberedBytes: 4 * 1024 * 1024,
  /**
   * Of one verdict with its text: longer ones are rarely asked again, and would drive out many
   * short ones.
   */
  rememberedVerdictBytes: 32 * 1024,
};
export type ClassifierLimits = Readonly<typeof classifierLimits>;
