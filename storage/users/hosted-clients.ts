import { readTrustedAgents } from './trusted-agents.js';

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
