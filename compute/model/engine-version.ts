/** Part of the id of every result. Increase it when the same candles and settings give other figures. */
export const engineVersion = '6';
