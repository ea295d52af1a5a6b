/**
 * By how much an interval of 95 % is wider where its variance comes from blocks that are `part` of the sample, 0 to 1: such
 * a variance is itself uncertain. The 97.5 % quantile of Bartlett's kernel over the normal one, 1.96. Kiefer and Vogelsang, A
 * New Asymptotic Theory for Heteroskedasticity-Autocorrelation Robust Tests, Econometric Theory 21, 2005.
 */
export const blockWidening = (part: number): number =>
  (1.96 + 2.9694 * part + 0.416 * part ** 2 - 0.5324 * part ** 3) / 1.96;
