import assert from 'node:assert/strict';
import http, { type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import type { Deps } from '../../../gateway/context.js';
import { clientAddress, senderOf } from '../../../gateway/middleware/client-address.js';
import { identify } from '../../../gateway/middleware/identify.js';
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
      ['IPv4 that came by IPv6 in hexadecimal', 0, '::ffff:102:304', undefined, '1.2.3.4'],
      ['IPv6 in its shortest form', 0, '2001:0DB8:0:0:0::1', undefined, '2001:db8::1'],
      ['the connection where it has no address', 0, '', undefined, ''],
      [
        'what the outer of two proxies saw, with ports',
        2,
        '10.0.0.1',
        '6.6.6.6, 1.2.3.4:5, 10.0.0.2:6',
        '1.2.3.4',
      ],
    ];
  for (const [what, hops, from, forwarded, address] of cases)
    it(`is ${what}`, () => assert.equal(clientAddress(request(from, forwarded), hops), address));
});

describe('the sender of a request', () => {
  it('has an address and its network, and keeps them', () => {
    const asked = request('10.0.0.1', '2001:DB8::1');
    const sender = senderOf(asked, 1);
    assert.deepEqual(sender, { address: '2001:db8::1', network: '2001:db8:0:0::/64' });
    assert.equal(senderOf(asked, 1), sender);
    assert.deepEqual(senderOf(request('10.0.0.1'), 0), { address: '10.0.0.1', network: '10.0.0.1' });
  });
});

describe('an entry of X-Forwarded-For', () => {
  const read = (entry: string) => clientAddress(request('10.0.0.1', `6.6.6.6, ${entry}`), 1);

  const addresses: [entry: string, address: string][] = [
    ['203.0.113.7', '203.0.113.7'],
    ['203.0.113.7:51234', '203.0.113.7'],
    ['203.0.113.7:_hidden', '203.0.113.7'],
    ['"203.0.113.7:51234"', '203.0.113.7'],
    ['  203.0.113.7:1\t', '203.0.113.7'],
    ['2001:db8::1', '2001:db8::1'],
    ['2001:DB8:0:0::1', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['"[2001:db8::1]"', '2001:db8::1'],
    ['"[2001:db8::1]:443"', '2001:db8::1'],
    ['"[2001:db8::1]:_x.y-z"', '2001:db8::1'],
    ['[fe80::1%eth0]:443', 'fe80::1'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['[::ffff:203.0.113.7]:443', '203.0.113.7'],
    ['::ffff:cb00:7107', '203.0.113.7'],
    ['2001:db8::1:443', '2001:db8::1:443'],
  ];
  for (const [entry, address] of addresses)
    it(`${JSON.stringify(entry)} is ${address}`, () => assert.equal(read(entry), address));

  const garbage = [
    ...[
      '',
      'unknown',
      '_hidden',
      '"_hidden"',
      'unknown:80',
      'localhost',
      'for=203.0.113.7',
      '203.0.113',
      '1',
    ],
    ...[
      '203.0.113.256',
      '203.0.113.07',
      '203.0.113.7:',
      '203.0.113.7:x',
      '203.0.113.7:123456',
      '203.0.113.7/24',
    ],
    ...['203.0.113.7 9', '203.0.113.7;1', '"203.0.113.7', '203.0.113.7"', "'203.0.113.7'", '[203.0.113.7'],
    ...[
      '[2001:db8::1',
      '2001:db8::1]',
      '[[2001:db8::1]]',
      '[2001:db8::1]443',
      '[2001:db8::1]:x',
      '[]',
      '[]:1',
    ],
    ...['2001:db8::1::2', '[unknown]', '2001:db8::g', 'http://203.0.113.7', '0x7f.1', '２０３.0.113.7'],
  ];
  for (const entry of garbage)
    it(`${JSON.stringify(entry)} is none: the address of the connection counts`, () =>
      assert.equal(read(entry), '10.0.0.1'));
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
    ['2001:DB8:1:2::1%eth0', '2001:db8:1:2::/64'],
    ['::ffff:1.2.3.4', '1.2.3.4'],
    ['::ffff:102:304', '1.2.3.4'],
    ['::ffff:0:1.2.3.4', '0:0:0:0::/64'],
    ['unix socket', 'unix socket'],
  ];
  for (const [address, network] of cases)
    it(`of "${address}" is "${network}"`, () => assert.equal(networkOf(address), network));
});

describe('a gateway that trusts no proxy', () => {
  it('warns once that X-Forwarded-For has no effect', async () => {
    for (const [hops, warnings] of [
      [0, 1],
      [1, 0],
    ]) {
      const told: object[] = [];
      const log = { warn: (about: object) => told.push(about) };
      const settings = { TRUSTED_HOPS: hops };
      const ending = new AbortController().signal;
      const app = new Koa();
      app.use(identify({ settings, ending, log } as unknown as Deps) as Koa.Middleware);
      const server = http.createServer((req, res) => void app.callback()(req, res)).listen(0);
      try {
        const { port } = server.address() as AddressInfo;
        for (const headers of [{}, { 'X-Forwarded-For': '1.2.3.4' }, { 'X-Forwarded-For': '1.2.3.5' }])
          await fetch(`http://127.0.0.1:${port}/`, { headers });
        assert.deepEqual(
          told,
          Array.from({ length: warnings }, () => ({ address: '127.0.0.1' })),
        );
      } finally {
        server.close();
        server.closeAllConnections();
      }
    }
  });
});
