/**
 * The tryout's steps. Each has a time limit, and what comes after a failed one is tried all the
 * same.
 */

/** @param desk of desk.mjs. */
export function stepper(desk) {
  const problems = [];
  return {
    problems,

    /** @param isAsItMustBe throws if it isn't. */
    async step({ name, seconds }, isAsItMustBe) {
      desk.report(name);
      const began = Date.now();
      try {
        await within(seconds, isAsItMustBe());
        desk.report(`  right, after ${((Date.now() - began) / 1000).toFixed(1)} s`);
      } catch (error) {
        problems.push(`${name}: ${error.message}`);
        desk.report(`  NOT AS IT MUST BE: ${error.message}`);
        await desk.screen(`failed-${problems.length}`);
      }
    },
  };
}

async function within(seconds, work) {
  let timer;
  const over = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`it took longer than ${seconds} s`)), seconds * 1000);
  });
  try {
    return await Promise.race([work, over]);
  } finally {
    clearTimeout(timer);
  }
}
