/**
 * Part of the id of every result. Increase it when the same candles and settings give other figures or fields: a gateway of the next
 * release would else be answered by nodes of this one with fields that it does not know, or miss some.
 */
export const engineVersion = '9';
