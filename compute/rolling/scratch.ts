/** The number of windows that the sliding functions compute per call, so that their data stays in the L1 cache. */
export const chunk = 512;

/** The longest window that fits into the scratch array, and so the longest period of indicators with a sliding window. */
export const longestWindow = 500;

/**
 * Working memory that a kernel allocates once, when its module is loaded: values for a chunk of windows and for the
 * candles before the first. It is never shared, because a thread runs one kernel at a time and to its end.
 */
export const createScratch = (): Float64Array => new Float64Array(chunk + longestWindow);

/** The same for two values of every window, interleaved. */
export const createScratchOfPairs = (): Float64Array => new Float64Array(2 * (chunk + longestWindow));
