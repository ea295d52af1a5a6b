import type { ParameterizedContext } from 'koa';
import { AppError } from '../../../compute/model/errors.js';
import type { Settings } from '../../../storage/process/settings.js';

const loopback = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

/** Browsers tell secure origins where a request comes from: those with https, and those of the own machine. */
const isTold = (origin: string) => origin.startsWith('https:') || loopback.test(origin);

/** The origin of the pages, as this browser reaches them. */
const ownOrigin = ({ PUBLIC_URL }: Pick<Settings, 'PUBLIC_URL'>, { req }: ParameterizedContext): string =>
  PUBLIC_URL === '' ? `http://${(req.headers.host ?? '').toLowerCase()}` : new URL(PUBLIC_URL).origin;

/**
 * Refuses a form, or what else `sent` names, that another site sends. Pages have Referrer-Policy no-referrer, so browsers send `Origin: null` with their own
 * forms, too; then Sec-Fetch-Site decides, and the CSRF token where browsers don't send it: over http from other machines.
 * Throws `forbidden`.
 */
export function checkSameOrigin(
  ctx: ParameterizedContext,
  settings: Pick<Settings, 'PUBLIC_URL'>,
  sent: 'form' | 'request' = 'form',
): void {
  const { origin: origins = [], 'sec-fetch-site': sites = [] } = ctx.req.headersDistinct;
  const own = ownOrigin(settings, ctx);
  const isOwnSite = sites.length === 1 && sites[0] === 'same-origin';
  if (sites.length > 0 && !isOwnSite) throw foreign(sent);
  if (origins.length === 0 || (origins.length === 1 && origins[0].toLowerCase() === own)) return;
  if (origins.length === 1 && origins[0] === 'null' && (isOwnSite || !isTold(own))) return;
  throw foreign(sent);
}

const foreign = (sent: 'form' | 'request') =>
  new AppError(
    'forbidden',
    `this ${sent} was sent by another site; open the page here and send its own ${sent}`,
  );
