import type { PageRequest } from './page.js';

/** The token of the link that led to the page, as input; without one a text that is refused as a link that does not work. */
export const linkInput = ({ linkToken }: Pick<PageRequest, 'linkToken'>): { token: string } => ({
  token: linkToken ?? 'none',
});
