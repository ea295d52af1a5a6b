/** Nothing acts on a price that is older than this, unless a setting says otherwise. */
export const usualOldTickMs = 10_000;
