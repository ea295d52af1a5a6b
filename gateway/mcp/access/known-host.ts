import type { ParameterizedContext } from 'koa';
import { AppError } from '../../../compute/model/errors.js';
import type { Settings } from '../../../storage/process/settings.js';

/** Names by which a machine reaches itself. */
const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]']);

type HostSettings = Pick<Settings, 'PUBLIC_URL' | 'MCP_HOSTS'>;

const publicUrl = ({ PUBLIC_URL }: Pick<Settings, 'PUBLIC_URL'>): URL | null =>
  PUBLIC_URL === '' ? null : new URL(PUBLIC_URL);

/**
 * Refuses requests whose Host is not one of ours: the service would otherwise call itself by any name that a client makes up.
 * The returned function throws `forbidden`.
 */
export function ownHostCheck(settings: HostSettings): (ctx: ParameterizedContext) => void {
  const ours = publicUrl(settings);
  const hosts = new Set([...(ours ? [ours.hostname] : []), ...settings.MCP_HOSTS, ...loopbackHosts]);
  return ({ req }) => {
    const { host = '' } = req.headers;
    if (hosts.has(nameOf(host))) return;
    const message = `the Host "${host.slice(0, 100)}" is not known here; an operator can add it to MCP_HOSTS`;
    throw new AppError('forbidden', message);
  };
}

/**
 * Refuses requests whose Host or Origin is not one of ours: a page that a browser shows may let its own name point to this
 * machine (DNS rebinding), and then its requests carry that name. The returned function throws `forbidden`.
 */
export function knownHostCheck(
  settings: HostSettings & Pick<Settings, 'CORS_ORIGINS'>,
): (ctx: ParameterizedContext) => void {
  const ours = publicUrl(settings);
  const checkHost = ownHostCheck(settings);
  const origins = new Set([...(ours ? [ours.origin] : []), ...settings.CORS_ORIGINS]);
  return (ctx) => {
    checkHost(ctx);
    const { origin } = ctx.req.headers;
    if (origin === undefined || origins.has(origin) || isLoopback(origin)) return;
    throw new AppError('forbidden', `the Origin "${origin.slice(0, 100)}" is not allowed; see CORS_ORIGINS`);
  };
}

/** The host without its port, in lower case. */
const nameOf = (host: string): string => host.toLowerCase().replace(/:\d+$/, '');

const isLoopback = (origin: string): boolean =>
  URL.canParse(origin) && loopbackHosts.has(new URL(origin).hostname) && new URL(origin).origin === origin;
