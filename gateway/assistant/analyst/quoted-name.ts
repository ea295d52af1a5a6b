/** More of a name is not repeated. */
const longestName = 60;

/** A name that a partner chose, in quotes, on one line and bounded: it is data, whatever it says. */
export function quotedName(name: string): string {
  const line = name.replace(/[\s\p{C}"]+/gu, ' ').trim();
  const letters = [...line];
  return `"${letters.length > longestName ? `${letters.slice(0, longestName).join('')}…` : line}"`;
}
