import type { LinkKind } from '../../../storage/mail/mail-kinds.js';
import type { PageCookie } from './cookies.js';
import type { PageRequest } from './page.js';

/** The parameter of the link in a mail. */
export const linkParameter = 'token';

/** What a token of a link may look like; whether it is one is decided where it is used. */
export const plausibleLink = /^[\w-]{1,100}$/;

/** Holds the token of a link from a mail for an hour, so that it stays neither in the address bar nor in the history. */
export const linkCookie = (kind: LinkKind): PageCookie => ({ name: `${kind}-link`, maxAgeSeconds: 3_600 });

/** The token of the link that led to the page, as input; without one a text that is refused as a link that does not work. */
export const linkInput = ({ linkToken }: Pick<PageRequest, 'linkToken'>): { token: string } => ({
  token: linkToken ?? 'none',
});
