import { BlockList, isIP, isIPv6 } from 'node:net';

/** A client that needs no signature: the name in its User-Agent and the addresses it may come from. */
export interface TrustedAgent {
  name: string;
  /** Whether the agent may send requests from this address. */
  from: (address: string) => boolean;
}

/** A product token of a User-Agent (RFC 9110), without its rarer characters. */
const namePattern = /^[A-Za-z0-9][\w.-]{0,63}$/;

/**
 * Parses AI_TRUSTED_USER_AGENTS: names separated by commas. A name may be limited to address ranges: `name@range+range`.
 * `none` means no agents. Throws a RangeError for any other text.
 */
export function readTrustedAgents(text: string): TrustedAgent[] {
  if (text.trim() === 'none') return [];
  return text.split(',').map((entry) => {
    const [name, ranges, ...more] = entry.trim().split('@');
    if (!namePattern.test(name) || more.length > 0)
      throw new RangeError(`expected the name of an agent, found "${entry}"`);
    return { name, from: ranges === undefined ? () => true : within(ranges.split('+')) };
  });
}

function within(ranges: readonly string[]): TrustedAgent['from'] {
  const list = new BlockList();
  for (const range of ranges) {
    const [network, bits, ...more] = range.split('/');
    const whole = isIPv6(network) ? 128 : 32;
    const prefix = bits === undefined ? whole : Number(bits);
    const isRange =
      isIP(network) !== 0 && /^\d{1,3}$/.test(bits ?? '0') && prefix <= whole && more.length === 0;
    if (!isRange) throw new RangeError(`expected an address range as in 203.0.113.0/24, found "${range}"`);
    list.addSubnet(network, prefix, family(network));
  }
  return (address) => isIP(address) !== 0 && list.check(address, family(address));
}

const family = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4');

/**
 * Parses MCP_HOSTED_CLIENTS: names with address ranges, `name@range+range`, separated by commas. The returned function
 * answers the name of the first whose ranges hold an address, or null. Throws a RangeError for any other text.
 */
export function readHostedClients(text: string): (address: string) => string | null {
  if (text.trim() === '') return () => null;
  const bare = text.split(',').find((entry) => !entry.includes('@'));
  if (bare !== undefined) throw new RangeError(`expected a name with address ranges, found "${bare.trim()}"`);
  const clients = readTrustedAgents(text);
  return (address) => clients.find(({ from }) => from(address))?.name ?? null;
}
