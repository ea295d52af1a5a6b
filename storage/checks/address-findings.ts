import { textWithoutSecrets } from '../process/without-secrets.js';
import { findingsOf, type Finding } from './finding.js';

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
