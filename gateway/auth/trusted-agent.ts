import type { IncomingMessage } from 'node:http';
import type { TrustedAgent } from '../../storage/users/hosted-clients.js';

/** The documented form of User-Agent headers of assistants: a browser's name, their own, a page about them. */
const browser = 'Mozilla/5\\.0 AppleWebKit/537\\.36 \\(KHTML, like Gecko\\)?; compatible; ';
const page = '; \\+https://[\\w./-]{1,100}';
const longest = 300;

/**
 * Tests whether a request comes from a trusted agent: from an address of the agent, with exactly one User-Agent header that
 * equals the agent's name, case-sensitive: `Name`, `Name/1.0`, or either of them in the form
 * `Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; Name/1.0; +https://example.com/bot`.
 */
export function trustedAgentTest(
  agents: readonly TrustedAgent[],
): (request: IncomingMessage, address: string) => boolean {
  const patterns = agents.map(({ name, from }) => ({ pattern: patternOf(name), from }));
  return ({ headersDistinct }, address) => {
    const [userAgent = '', ...more] = headersDistinct['user-agent'] ?? [];
    if (more.length > 0 || userAgent.length > longest) return false;
    return patterns.some(({ pattern, from }) => pattern.test(userAgent) && from(address));
  };
}

function patternOf(name: string): RegExp {
  const token = `${name.replaceAll('.', '\\.')}(?:/\\d{1,4}(?:\\.\\d{1,4}){0,3})?`;
  return new RegExp(`^(?:${token}|${browser}${token}(?:${page})?\\)?)$`);
}
