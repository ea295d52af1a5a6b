import type { ParameterizedContext } from 'koa';
import { AppError } from '../../../compute/model/errors.js';
import type { Settings } from '../../../storage/process/settings.js';

/** Hosts by which a machine reaches itself. */
const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]']);

type ServiceNames = Pick<Settings, 'PUBLIC_URL' | 'MCP_HOSTS' | 'CORS_ORIGINS'>;

/**
 * Refuses requests whose Host or Origin is not one of ours. A hostile page can let its own name point to this machine (DNS
 * rebinding); its requests then carry that name. The returned function throws `forbidden`.
 */
export function knownHostCheck(settings: ServiceNames): (ctx: ParameterizedContext) => void {
  const { PUBLIC_URL, CORS_ORIGINS } = settings;
  const checkHost = hostCheck(settings);
  const origins = new Set([...(PUBLIC_URL === '' ? [] : [new URL(PUBLIC_URL).origin]), ...CORS_ORIGINS]);
  return (ctx) => {
    checkHost(ctx);
    const { origin } = ctx.req.headers;
    if (origin === undefined || origins.has(origin) || isLoopbackOrigin(origin)) return;
    throw new AppError('forbidden', `the Origin "${origin.slice(0, 100)}" is not allowed; see CORS_ORIGINS`);
  };
}

/** Refuses requests whose Host is not one of ours, from pages of any origin. The returned function throws `forbidden`. */
export function hostCheck({
  PUBLIC_URL,
  MCP_HOSTS,
}: Omit<ServiceNames, 'CORS_ORIGINS'>): (ctx: ParameterizedContext) => void {
  const ours = PUBLIC_URL === '' ? [] : [new URL(PUBLIC_URL).hostname];
  const hosts = new Set([...ours, ...MCP_HOSTS, ...loopbackHosts]);
  return ({ req: { headers } }) => {
    const { host = '' } = headers;
    if (hosts.has(host.toLowerCase().replace(/:\d+$/, ''))) return;
    const message = `the Host "${host.slice(0, 100)}" is not known here; an operator can add it to MCP_HOSTS`;
    throw new AppError('forbidden', message);
  };
}

/** Whether the origin is a page of this machine. */
export const isLoopbackOrigin = (origin: string): boolean =>
  URL.canParse(origin) && loopbackHosts.has(new URL(origin).hostname) && new URL(origin).origin === origin;
