/** The arguments that the question decides: those without a value are left out, so that the tool's defaults hold. */
export const decidedArgs = (args: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined));
