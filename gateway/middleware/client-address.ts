import type { IncomingMessage } from 'node:http';
import { networkOf } from '../../storage/users/client-network.js';
import { plainAddress } from '../../storage/users/plain-address.js';

/** Who sends a request, as the limits see it. */
export interface RequestSender {
  /** Client address; X-Forwarded-For counts as far as proxies are trusted. */
  address: string;
  network: string;
}

const senders = new WeakMap<IncomingMessage, RequestSender>();

/** The sender of a request, determined once. */
export function senderOf(request: IncomingMessage, trustedHops: number): RequestSender {
  const known = senders.get(request);
  if (known) return known;
  const address = clientAddress(request, trustedHops);
  const sender = { address, network: networkOf(address) };
  senders.set(request, sender);
  return sender;
}

/**
 * The client's address: that of the connection, or the one seen by the outermost of `trustedHops` proxies. Each proxy
 * appends the address it sees to X-Forwarded-For; entries further left are written by the client and not trusted. An entry
 * that is no address counts as the address of the connection.
 */
export function clientAddress(request: IncomingMessage, trustedHops: number): string {
  const ofConnection = request.socket.remoteAddress ?? '';
  const { 'x-forwarded-for': header } = request.headers;
  if (trustedHops > 0 && header !== undefined) {
    const entries = String(header).split(',');
    const forwarded = forwardedAddress(entries[Math.max(0, entries.length - trustedHops)]);
    if (forwarded !== null) return forwarded;
  }
  return plainAddress(ofConnection) ?? ofConnection;
}

/** The port of an entry: digits, or a name that hides the port (RFC 7239, section 6.2). */
const port = '(?::(?:\\d{1,5}|_[\\w.-]+))?';
const ipv4Entry = new RegExp(`^(\\d+\\.\\d+\\.\\d+\\.\\d+)${port}$`);
const bracketedEntry = new RegExp(`^\\[([^\\[\\]]+)\\]${port}$`);

/**
 * The address in an entry of X-Forwarded-For, which proxies write in several forms: alone, with a port, in brackets, in the
 * quotes of RFC 7239. Null if it is no address, such as `unknown`.
 */
function forwardedAddress(entry: string): string | null {
  const text = entry.trim();
  const unquoted = /^"([^"]*)"$/.exec(text)?.[1] ?? text;
  const found = ipv4Entry.exec(unquoted) ?? bracketedEntry.exec(unquoted);
  return plainAddress(found ? found[1] : unquoted);
}
