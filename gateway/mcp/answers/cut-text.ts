/** The text with at most this many characters, marked if it is cut. No half of a surrogate pair is left: many clients refuse it. */
export const cutText = (text: string, longest: number): string =>
  text.length > longest ? `${text.slice(0, longest).replace(/[\uD800-\uDBFF]$/, '')}…` : text;
