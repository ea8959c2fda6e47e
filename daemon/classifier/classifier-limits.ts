/** Every limit on classifying, each with its reason. */

export const classifierLimits = {
  /** Processor time to classify a statement. Honest ones near 100 KB take 50 to 80 ms. */
  firstMilliseconds: 250,
  /** Processor time of a second try, on a new thread. */
  secondMilliseconds: 1_000,
  /** Time for each of them, if other programs have the processor. */
  millisecondsPerProcessorMillisecond: 8,
  /** A statement that takes this long will likely overrun, so its thread's successor starts. */
  slowMilliseconds: 50,
  /** How long a principal's statements are kept apart after one was late. */
  lateMilliseconds: 30_000,
  /** How long a statement waits for its turn before it is refused. */
  waitMilliseconds: 10_000,
  /**
   * Classifying time of a principal per second: enough for `limits.requestsPerMinute` honest
   * statements of 100 KB each.
   */
  shareMillisecondsPerSecond: 250,
  /** Extra cost of an overrun for its principal: the processor time to replace the thread. */
  replacementMilliseconds: 250,
  /** What a principal may use at once: one statement's two tries, and a dozen honest long ones. */
  burstMilliseconds: 1_500,
  /**
   * For a start, or for loading one grammar: 0.1 s at most, several times that on a busy machine.
   */
  startMilliseconds: 10_000,
  /** A thread with its grammars holds some 25 MB. */
  idleMilliseconds: 300_000,
  spareIdleMilliseconds: 5_000,
  /**
   * For the whole daemon. Parsers keep a long text's memory: a thread that classified one ends if
   * the daemon is larger than this.
   */
  residentBytes: 170 * 1024 * 1024,
  /**
   * Characters. A shorter text leaves next to nothing, and ending its thread would make others wait
   * for a new one.
   */
  longText: 16_384,
  /**
   * JavaScript's heap in one thread: of 100 KB of lists, rows, names and operators none took 32 MB.
   */
  heapMegabytes: 40,
  /**
   * The same stack as Node's main thread (984 KB), so both classify nesting alike; Node subtracts
   * 192 KB for itself.
   */
  stackMegabytes: (984 + 192) / 1024,
  rememberedVerdicts: 2_000,
  rememberedBytes: 4 * 1024 * 1024,
  /**
   * Of one answer with its text: longer ones are rarely asked again, and would displace many short
   * ones.
   */
  rememberedVerdictBytes: 32 * 1024,
};
export type ClassifierLimits = Readonly<typeof classifierLimits>;
