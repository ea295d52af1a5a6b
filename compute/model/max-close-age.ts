/**
 * How long before the start of a window, in ms, the close may be from which the change over the window is measured: at most a
 * twentieth of the window. With an older close, from before an outage, the change would be that of a longer time.
 */
export const maxCloseAgeMs = (windowMs: number): number => windowMs / 20;
