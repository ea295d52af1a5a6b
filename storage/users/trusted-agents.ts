import { BlockList, isIP, isIPv6 } from 'node:net';

/** A kind of client that needs no signature: the name it goes by, and where it has to come from. */
export interface TrustedAgent {
  name: string;
  /** Whether a request from this address may be one of it. */
  from: (address: string) => boolean;
}

/** A product token of a User-Agent, as RFC 9110 has it, without the rarer marks. */
const namePattern = /^[A-Za-z0-9][\w.-]{0,63}$/;

/**
 * What AI_TRUSTED_USER_AGENTS says: names separated by commas, each followed by `@` and address ranges, joined by `+`, where
 * it is narrowed to those; `none` is nobody. Throws when it says nothing that can be understood.
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
