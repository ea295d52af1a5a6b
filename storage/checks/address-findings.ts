import { textWithoutSecrets } from '../process/without-secrets.js';
import { findingsOf, type Finding } from './finding.js';

const loopback = /^(localhost|127\.[\d.]+|\[?::1\]?)$/;

/** The address of a server: without a password or encryption it must not leave this machine. */
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
  const isLocal = hosts === '' || hosts.split(',').every((host) => loopback.test(host.replace(/:\d+$/, '')));
  if (isLocal) return [source];
  const isEncrypted = scheme === 'rediss' || scheme === 'mongodb+srv' || /[?&](tls|ssl)=true/.test(url);
  return [
    source,
    credentials === undefined
      ? warning('password', 'none in the URL', `give the server a password and name it in ${setting}`)
      : ok('password', 'in the URL'),
    isEncrypted
      ? ok('encryption', 'TLS')
      : warning('encryption', 'none', `use TLS in ${setting} unless the network is private`),
  ];
}
