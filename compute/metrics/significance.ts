/** The level that a p-value, corrected for the tests of its report, has to stay below to be called significant. */
export const significance = 0.05;
