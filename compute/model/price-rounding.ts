/** The tolerance when lines computed from prices of this size are compared: a smaller difference is a rounding error. */
export const priceRounding = (price: number): number => Math.abs(price) * 1e-12;
