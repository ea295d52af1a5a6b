import type { ParamSpec } from '../../../compute/model/indicator.js';

/** Parameters with their ranges, in words. */
export function paramWords(specs: Readonly<Record<string, ParamSpec>>): string {
  const words = Object.entries(specs).map(
    ([name, { title, min, max, default: defaultValue }]) =>
      `${name} (${title}; ${min} to ${max}, default ${defaultValue})`,
  );
  return words.join(', ') || 'none';
}
