import fc from 'fast-check';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { formOf } from '../../../gateway/mcp/call-tool.js';
import { tools } from '../../../gateway/mcp/tools.js';
import type { McpTestClient } from './mcp-client.js';
import { anyArguments } from './sample-arguments.js';

const ajv = new Ajv2020({ strict: false });
formats.default(ajv);

/** A call whose answer breaks a rule that holds for all answers. */
export interface FuzzFault {
  tool: string;
  args: string;
  what: string;
}

export interface FuzzReport {
  calls: number;
  /** How often tools answered, by tool; the others were told what is wrong. */
  answered: Map<string, number>;
  faults: FuzzFault[];
  largestBytes: number;
}

/**
 * Calls every tool `each` times with arguments that its schema takes. An answer must have the published form or a code that
 * says what is wrong, never `unexpected`, and at most 24 KB.
 */
export async function fuzzTools(
  client: McpTestClient,
  { each, seed, atOnce = 8 }: { each: number; seed: number; atOnce?: number },
): Promise<FuzzReport> {
  const report: FuzzReport = { calls: 0, answered: new Map(), faults: [], largestBytes: 0 };
  for (const tool of tools) {
    const { name } = tool.listing;
    const isValid = ajv.compile(formOf(tool).outputSchema);
    const all = fc.sample(anyArguments(tool.listing), { numRuns: each, seed });
    for (let n = 0; n < all.length; n += atOnce) {
      const batch = all.slice(n, n + atOnce);
      const faults = await Promise.all(batch.map((args) => tryCall(client, name, args, isValid, report)));
      report.faults.push(...faults.filter((fault) => fault !== null));
    }
  }
  return report;
}

async function tryCall(
  client: McpTestClient,
  name: string,
  args: Record<string, unknown>,
  isValid: ValidateFunction,
  report: FuzzReport,
): Promise<FuzzFault | null> {
  const fault = (what: string): FuzzFault => ({ tool: name, args: JSON.stringify(args), what });
  report.calls += 1;
  try {
    const { structured, isError, bytes, text } = await client.call(name, args);
    report.largestBytes = Math.max(report.largestBytes, bytes);
    if (bytes > 24 * 1024) return fault(`${bytes} bytes`);
    if (isError) return structured?.error?.code === 'unexpected' ? fault(text) : null;
    report.answered.set(name, (report.answered.get(name) ?? 0) + 1);
    if (!isValid(structured)) return fault(JSON.stringify(isValid.errors?.[0]).slice(0, 300));
    return /\bNaN\b|undefined|\[object/.test(text) ? fault(text.slice(0, 300)) : null;
  } catch (error) {
    return fault(String(error).slice(0, 300));
  }
}
