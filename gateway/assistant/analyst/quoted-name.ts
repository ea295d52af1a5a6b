/** The most characters of a name; the rest is cut off. */
const longestName = 60;

/** A name that a partner chose, in quotes, on one line and cut to a length. It is data, no instruction. */
export function quotedName(name: string): string {
  const line = name.replace(/[\s\p{C}"]+/gu, ' ').trim();
  const letters = [...line];
  return `"${letters.length > longestName ? `${letters.slice(0, longestName).join('')}…` : line}"`;
}
