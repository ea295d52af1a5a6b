/** Windows per call of a sliding function: few enough that the data of a call fit into the L1 cache. */
export const chunk = 512;

/** The longest window that fits into these buffers: the longest period of an indicator that uses a sliding function. */
export const longestWindow = 500;

/**
 * A buffer that a kernel allocates once, when its module is loaded, and uses in every call. It holds a chunk of windows
 * and the values before it that the first window needs. A thread runs one kernel at a time, so the buffer is not shared.
 */
export const createScratch = (): Float64Array => new Float64Array(chunk + longestWindow);

/** The same for two interleaved values per window. */
export const createScratchOfPairs = (): Float64Array => new Float64Array(2 * (chunk + longestWindow));
