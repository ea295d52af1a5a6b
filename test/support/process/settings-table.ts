import { settingsSchema } from '../../../storage/process/settings.js';

interface Described {
  flags?: { description?: string; default?: unknown };
  metas?: { default?: string }[];
}

/** The rows of the README's table of settings, as the schema has them. */
export function settingsRows(): string[] {
  const { keys } = settingsSchema.describe() as unknown as { keys: Record<string, Described> };
  return Object.entries(keys).map(([name, { flags, metas }]) => {
    const value = metas?.[0]?.default ?? String(flags?.default);
    return `| ${name} | ${value} | ${flags?.description} |`;
  });
}
