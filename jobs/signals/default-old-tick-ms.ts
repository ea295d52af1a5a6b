/** The default of the age limit of prices: nothing acts on an older price. */
export const defaultOldTickMs = 10_000;
