/** More of it is not repeated. */
const longest = 120;

/** Text of an exchange or partner on one line, bounded and without a full stop at its end: it is data, whatever it says. */
export function oneLine(text: string): string {
  const letters = [
    ...text
      .replace(/[\s\p{C}]+/gu, ' ')
      .trim()
      .replace(/\.+$/, ''),
  ];
  return letters.length > longest ? `${letters.slice(0, longest).join('')}…` : letters.join('');
}
