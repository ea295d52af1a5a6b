import type { IncomingMessage } from 'node:http';
import { plainAddress } from '../../storage/users/plain-address.js';

/** Scheme, authority without a user, and the rest of the URL. */
const absoluteForm = /^(https?):\/\/([^/?#@\\]+)([/?][^]*)?$/i;

/**
 * The request target as path and query. An absolute target (RFC 9112, 3.2.2) becomes a path if it names this service: the
 * host of the Host header, of the public URL, or of the connection. The URL of another service stays as it is; text that is no URL becomes `*`.
 */
export function originForm(request: IncomingMessage, publicUrl: string): string {
  const { url = '' } = request;
  if (url.startsWith('/')) return url;
  if (!URL.canParse(url)) return '*';
  const [, scheme, authority, rest = '/'] = absoluteForm.exec(url) ?? [];
  if (authority === undefined) return url;
  const host = hostOf(scheme, authority);
  if (host === null || !ownHosts(request, scheme, publicUrl).includes(host)) return url;
  return rest.startsWith('?') ? `/${rest}` : rest;
}

function ownHosts({ headers, socket }: IncomingMessage, scheme: string, publicUrl: string) {
  const { localAddress = '', localPort } = socket;
  const address = plainAddress(localAddress) ?? localAddress;
  return [
    hostOf(scheme, headers.host ?? ''),
    publicUrl === '' ? null : new URL(publicUrl).host,
    hostOf(scheme, `${address.includes(':') ? `[${address}]` : address}:${localPort}`),
    hostOf(scheme, `localhost:${localPort}`),
  ];
}

/** Host and port in lower case, without the usual port of the scheme; null if it is no host. */
function hostOf(scheme: string, authority: string): string | null {
  const url = `${scheme}://${authority}`;
  return URL.canParse(url) ? new URL(url).host : null;
}
