/** The text with at most this many characters, cut at a space and marked, so that every figure in it is whole. */
export const cutAtSpace = (text: string, longest: number): string =>
  text.length > longest ? `${text.slice(0, longest - 1).replace(/\s*\S*$/, '')} …` : text;
