import type { ParameterizedContext } from 'koa';
import type { Settings } from '../../../storage/process/settings.js';
import { serviceUrl } from './service-url.js';

/** The URL of the connector as this client reaches it: what access tokens of apps are for (RFC 8707). */
export const connectorUrl = (
  settings: Pick<Settings, 'PUBLIC_URL'>,
  ctx: Pick<ParameterizedContext, 'req'>,
): string => `${serviceUrl(settings, ctx)}/mcp`;
