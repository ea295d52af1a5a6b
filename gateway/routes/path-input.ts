import type { ExtraInput } from './envelope-input.js';

/** Reads an input field from the parameter of the path that has its name. */
export const pathInput =
  (name: string): ExtraInput =>
  ({ params }) => ({ [name]: (params as Record<string, string>)[name] });
