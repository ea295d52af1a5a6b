/**
 * How old, in ms, the last close before a window may be for a change over the window to be measured from it: a twentieth
 * of its length. An older one is the price before an outage, and the change is that of a longer time.
 */
export const longestWait = (windowMs: number): number => windowMs / 20;
