/** The default of the age limit of prices: nothing acts on an older price. */
export const usualOldTickMs = 10_000;
