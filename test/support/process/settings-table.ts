import { settingsSchema } from '../../../storage/process/settings-schema.js';

interface Described {
  flags?: { description?: string; default?: unknown };
  metas?: { default?: string }[];
}

/** The table rows of SETTINGS.md as they follow from the schema. */
export function settingsRows(): string[] {
  const { keys } = settingsSchema.describe() as unknown as { keys: Record<string, Described> };
  return Object.entries(keys).map(([name, { flags, metas }]) => {
    const value = metas?.[0]?.default ?? String(flags?.default);
    return `| ${name} | ${value} | ${flags?.description} |`;
  });
}

/** The table rows of a markdown text that describe settings, with one space around each cell. */
export const settingsRowsIn = (markdown: string): string[] =>
  markdown
    .split('\n')
    .filter((line) => /^\| [A-Z_]+ /.test(line))
    .map((line) => line.replace(/\s*\|\s*/g, ' | ').trim());
