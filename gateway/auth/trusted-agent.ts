import type { IncomingMessage } from 'node:http';
import type { TrustedAgent } from '../../storage/users/trusted-agents.js';

/** The words that assistants' agents document around their name: a browser's before it, a page about them after it. */
const browser = 'Mozilla/5\\.0 AppleWebKit/537\\.36 \\(KHTML, like Gecko\\)?; compatible; ';
const page = '; \\+https://[\\w./-]{1,100}';
const longest = 300;

/**
 * Tells whether a request comes from a trusted agent. Its one User-Agent header has to be the agent's name as a whole,
 * capitals included: `Name`, `Name/1.0`, or either in the frame that these agents document,
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
