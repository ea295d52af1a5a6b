/** Nothing acts on a price that is older than this. */
export const oldTickMs = 10_000;
