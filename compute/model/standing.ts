/** Which way a price or a line goes. */
export const directions = ['up', 'down'] as const;

export type Direction = (typeof directions)[number];

/** What a reading speaks for: bullish where the first of two lines is above the second, neutral where they are equal. */
export const standings = ['bullish', 'bearish', 'neutral'] as const;

export type Standing = (typeof standings)[number];
