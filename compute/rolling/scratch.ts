/** How many windows the sliding functions are asked for at a time: what they work on then stays in the fastest cache. */
export const chunk = 512;

/** The longest window that scratch has room for, and so the longest period of any indicator that slides one. */
export const longestWindow = 500;

/**
 * Working memory that a kernel keeps from call to call, taken once when its module is loaded: a chunk of windows and
 * what the first of them reaches back to. A thread runs one kernel at a time, to its end, so nobody shares it.
 */
export const createScratch = (): Float64Array => new Float64Array(chunk + longestWindow);

/** The same for two values of every window, in turns. */
export const createScratchOfPairs = (): Float64Array => new Float64Array(2 * (chunk + longestWindow));
