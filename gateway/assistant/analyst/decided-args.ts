/** The arguments that have a value. The others are left out, so that the defaults of the tool apply. */
export const decidedArgs = (args: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined));
