import { randomUUID } from 'node:crypto';
import { findingsOf, type Finding } from './finding.js';
import { textWithoutSecrets } from '../process/without-secrets.js';

/** Hosts on this machine. MongoDB URLs name a Unix socket as a host with encoded slashes. */
const localHost = /^(localhost|127\.[\d.]+|\[?::1\]?|%2F.*\.sock)$/i;

/** The findings on the address of a server: connections to other machines need a password and encryption. */
export function addressFindings(part: 'redis' | 'mongodb', url: string, isGiven: boolean): Finding[] {
  const { ok, warning } = findingsOf(part);
  const setting = part === 'redis' ? 'REDIS_URL' : 'MONGODB_URL';
  const shown = textWithoutSecrets(url);
  const source = isGiven
    ? ok('address', shown)
    : warning(
        'address',
        `${shown}, found or started here`,
        `set ${setting}: this server ends with the service, and only this machine reaches it`,
      );
  const [, scheme = '', credentials, hosts = ''] = /^([a-z+]+):\/\/(?:([^/@]*)@)?([^/?]*)/.exec(url) ?? [];
  const isLocal = hosts === '' || hosts.split(',').every((host) => localHost.test(host.replace(/:\d+$/, '')));
  if (isLocal) return [source];
  // The Redis client sends no user without a password; MongoDB also knows users with a certificate.
  const hasPassword = part === 'redis' ? /:./.test(credentials ?? '') : credentials !== undefined;
  const isEncrypted =
    scheme.startsWith('rediss') || scheme === 'mongodb+srv' || /[?&](tls|ssl)=true/.test(url);
  return [
    source,
    !hasPassword
      ? warning('password', 'none in the URL', `give the server a password and name it in ${setting}`)
      : ok('password', 'in the URL'),
    isEncrypted
      ? ok('encryption', 'TLS')
      : warning('encryption', 'none', `use TLS in ${setting} unless the network is private`),
  ];
}

const { ok, warning, unfit } = findingsOf('settings');

const withinMs = 5_000;
/** Headers that the gateway sets on each answer. */
const ownHeaders = ['content-security-policy', 'x-content-type-options', 'x-frame-options'];

/** Asks `/healthz` by the address that clients use, and says what the way there changes. Nothing for an empty PUBLIC_URL. */
export async function publicUrlFindings(publicUrl: string): Promise<Finding[]> {
  if (publicUrl === '') return [];
  const url = `${publicUrl.replace(/\/$/, '')}/healthz`;
  const requestId = randomUUID();
  try {
    const headers = { 'x-request-id': requestId, 'accept-encoding': 'gzip' };
    const answer = await fetch(url, { headers, redirect: 'manual', signal: AbortSignal.timeout(withinMs) });
    const text = await answer.text();
    return answer.status === 200 && text === '{"alive":true}'
      ? [wayFinding(answer.headers, requestId)]
      : [unfit('way', `${url} answers ${answer.status}, not a gateway`, adviceFor(answer.status))];
  } catch (error) {
    const cause = (error as Error).cause;
    const found = cause instanceof Error && cause.message !== '' ? cause.message : (error as Error).message;
    const advice =
      'start a gateway and the proxy before it, or correct PUBLIC_URL; a name may be unknown inside only';
    return [warning('way', `${url} is not reached from here: ${found}`, advice)];
  }
}

const adviceFor = (status: number): string =>
  status >= 300 && status < 400
    ? 'name the address that it leads to in PUBLIC_URL: clients do not send requests again'
    : 'have the proxy pass all paths to the gateways';

function wayFinding(headers: Headers, requestId: string): Finding {
  const changes = [
    ...(headers.get('x-request-id') === requestId
      ? []
      : ['x-request-id is replaced: logs of clients and gateways have different ids']),
    ...(headers.has('content-encoding') ? ['answers are compressed: event streams must not be'] : []),
    ...(Number(headers.get('age') ?? 0) > 0 ? ['answers come from a cache'] : []),
    ...ownHeaders.filter((name) => !headers.has(name)).map((name) => `${name} is removed`),
  ];
  return changes.length === 0
    ? ok('way', 'a gateway answers, and nothing is changed')
    : warning(
        'way',
        changes.join('; '),
        'let the proxy pass headers and bodies on as they are: gateway/PROXY.md',
      );
}
