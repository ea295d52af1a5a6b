/** The rounding error of lines that are computed from prices of this size. */
export const priceRounding = (price: number): number => Math.abs(price) * 1e-12;
