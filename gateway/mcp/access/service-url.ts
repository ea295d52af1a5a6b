import type { ParameterizedContext } from 'koa';
import type { Settings } from '../../../storage/process/settings.js';

/** The URL of the service as this client reaches it: PUBLIC_URL, else by the Host that has been checked to be ours. */
export const serviceUrl = (
  { PUBLIC_URL }: Pick<Settings, 'PUBLIC_URL'>,
  { req }: Pick<ParameterizedContext, 'req'>,
): string =>
  PUBLIC_URL === '' ? `http://${req.headers.host ?? 'localhost'}` : PUBLIC_URL.replace(/\/$/, '');
