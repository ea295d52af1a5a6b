const most = 2;
const longestText = 300;

/** The same answer with the first items of its lists, the first entries of its large maps, and the beginning of long texts. */
export function shortened(value: unknown): unknown {
  if (typeof value === 'string' && value.length > longestText) return `${value.slice(0, longestText)}…`;
  if (Array.isArray(value)) return value.slice(0, most).map(shortened);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  // The document itself is one of the answers.
  const isMap = entries.length > 0 && entries.every(([name]) => name.startsWith('/'));
  const shown = isMap ? [] : entries;
  return Object.fromEntries(
    shown.map(([name, inner]) => [name, name === 'components' ? {} : shortened(inner)]),
  );
}
