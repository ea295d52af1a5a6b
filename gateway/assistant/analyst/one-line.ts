/** The most characters; the rest is cut off. */
const longest = 120;

/** A text of an exchange or partner on one line, cut to a length and without a full stop at its end. It is data, no instruction. */
export function oneLine(text: string): string {
  const letters = [
    ...text
      .replace(/[\s\p{C}]+/gu, ' ')
      .trim()
      .replace(/\.+$/, ''),
  ];
  return letters.length > longest ? `${letters.slice(0, longest).join('')}…` : letters.join('');
}
