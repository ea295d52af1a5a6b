/** Changes whenever the same candles and settings would give other figures: part of the id of every result. */
export const engineVersion = '2';
