/** What a page says after a form has been accepted, by the word in its URL: links of others can't put words into a page. */
const notices = {
  'signed-out': 'You are signed out.',
} as const satisfies Record<string, string>;

export type Notice = keyof typeof notices;

/** The parameter of the URL that names the notice. */
export const noticeParameter = 'done';

/** The sentence for the word in a URL; null for none and for an unknown one. */
export const noticeText = (word: string | undefined): string | null =>
  word !== undefined && Object.hasOwn(notices, word) ? notices[word as Notice] : null;

/** A path with the word of a notice. */
export const withNotice = (path: string, notice: Notice | undefined): string =>
  notice === undefined ? path : `${path}${path.includes('?') ? '&' : '?'}${noticeParameter}=${notice}`;
