import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { clientAddress } from '../../../gateway/middleware/client-address.js';
import { networkOf } from '../../../storage/users/client-network.js';

const request = (remoteAddress: string, forwarded?: string) =>
  ({
    socket: { remoteAddress },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  }) as unknown as IncomingMessage;

describe('client address', () => {
  const cases: [what: string, hops: number, from: string, forwarded: string | undefined, address: string][] =
    [
      ['the connection where no proxy is trusted', 0, '10.0.0.1', '1.2.3.4', '10.0.0.1'],
      ['the connection where the header is missing', 2, '10.0.0.1', undefined, '10.0.0.1'],
      ['what the one proxy saw, not what the client wrote', 1, '10.0.0.1', '6.6.6.6, 1.2.3.4', '1.2.3.4'],
      ['what the outer of two proxies saw', 2, '10.0.0.1', '6.6.6.6, 1.2.3.4, 10.0.0.2', '1.2.3.4'],
      ['the leftmost where there are fewer than trusted', 3, '10.0.0.1', '1.2.3.4, 10.0.0.2', '1.2.3.4'],
      ['the connection where the header is no address', 1, '10.0.0.1', 'unknown', '10.0.0.1'],
      ['the connection where the header is empty', 1, '10.0.0.1', '', '10.0.0.1'],
      ['IPv4 that came by IPv6', 0, '::ffff:1.2.3.4', undefined, '1.2.3.4'],
      ['IPv6 without its zone', 0, 'fe80::1%eth0', undefined, 'fe80::1'],
    ];
  for (const [what, hops, from, forwarded, address] of cases)
    it(`is ${what}`, () => assert.equal(clientAddress(request(from, forwarded), hops), address));
});

describe('network', () => {
  const cases: [address: string, network: string][] = [
    ['1.2.3.4', '1.2.3.4'],
    ['', ''],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002::', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['64:ff9b::1.2.3.4', '64:ff9b:0:0::/64'],
    ['1:2:3:4:5:6:7::', '1:2:3:4::/64'],
  ];
  for (const [address, network] of cases)
    it(`of "${address}" is "${network}"`, () => assert.equal(networkOf(address), network));
});
