/** The direction of a price or a line. */
export const directions = ['up', 'down'] as const;

export type Direction = (typeof directions)[number];

/** A reading of two lines: bullish where the first is above the second, neutral where they are equal. */
export const standings = ['bullish', 'bearish', 'neutral'] as const;

export type Standing = (typeof standings)[number];
