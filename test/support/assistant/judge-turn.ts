import { stateAfter, type AnalystState } from '../../../gateway/assistant/analyst/analyst-state.js';
import type { AskedQuestion } from '../../../gateway/assistant/analyst/recognition/asked-question.js';
import { callArgs } from '../../../gateway/assistant/analyst/call-args.js';
import { understand } from '../../../gateway/assistant/analyst/understand.js';
import { listingNamed } from '../../../gateway/mcp/catalogue.js';
import type { ExpectedCall, Expectation, Question } from './questions.js';

const nowMs = Date.UTC(2026, 5, 15, 12);
/** What a backtest leaves for the questions after it. */
const anyBacktest = { backtestId: 'f'.repeat(64) };

/** What the analyst makes of one question. */
type Made =
  | { tool: string; args: Record<string, unknown> }
  | { declined: string }
  | { term: string }
  | { help: true };

/** A turn whose outcome is not the expected one; null where it is. */
export interface Miss {
  id: string;
  ask: string;
  expected: Expectation;
  made: unknown;
}

/** The turns of a conversation that are not understood as expected, without any call. */
export function missesOf({ id, guest, turns }: Question): Miss[] {
  let state: AnalystState = {};
  return turns.flatMap(({ ask, expect: expected }) => {
    const { questions, unclear } = understand(ask, state, { nowMs });
    const hasRun = questions.some(({ intent }) => intent.tool === 'run_backtest');
    state = stateAfter(state, questions, hasRun ? anyBacktest : {});
    const made = questions
      .filter(({ missing }) => missing === undefined)
      .map((each) => madeOf(each, guest === true));
    const asked = questions.find(({ missing }) => missing !== undefined)?.missing;
    const isRight = isExpected(expected, made, asked, unclear);
    return isRight
      ? []
      : [{ id, ask, expected, made: asked === undefined ? [...made, unclear] : [...made, { asked }] }];
  });
}

function madeOf({ intent, slots }: AskedQuestion, guest: boolean): Made {
  if (intent.declines !== undefined) return { declined: intent.declines };
  if (intent.name === 'help') return { help: true };
  if (intent.tool === null) return { term: slots.term ?? '' };
  const isHidden = guest && listingNamed(intent.tool)?.scope !== 'public';
  return isHidden ? { declined: 'sign-in' } : { tool: intent.tool, args: callArgs(intent, slots) };
}

function isExpected(
  expected: Expectation,
  made: readonly Made[],
  asked: string | undefined,
  unclear: string | undefined,
): boolean {
  // Two assets are asked for as the first of them.
  if ('asked' in expected)
    return asked === expected.asked || (expected.asked === 'assets' && asked === 'asset');
  if ('declined' in expected)
    return (
      made.some((each) => 'declined' in each && each.declined === expected.declined) ||
      unclear === expected.declined
    );
  if ('help' in expected) return made.some((each) => 'help' in each);
  if ('term' in expected) return made.some((each) => 'term' in each && each.term === expected.term);
  const wanted = 'tools' in expected ? expected.tools : [expected];
  if (asked !== undefined || made.length !== wanted.length) return false;
  return wanted.every((each) =>
    made.some((one) =>
      'term' in each ? 'term' in one && one.term === each.term : 'tool' in one && isCall(each, one),
    ),
  );
}

/** Whether a call has the tool and the arguments; an argument that is left out has its default. */
export function isCall(
  { tool, args }: ExpectedCall,
  made: { tool: string; args: Record<string, unknown> },
): boolean {
  const properties = listingNamed(tool)?.inputSchema.properties ?? {};
  return (
    tool === made.tool &&
    Object.entries(args).every(([name, value]) => {
      const given = made.args[name] ?? properties[name]?.default;
      return name === 'weights' ? isSame(shares(value), shares(given)) : isSame(value, given);
    })
  );
}

/** The weights as shares of their sum in 1/10,000. */
function shares(weights: unknown): unknown {
  const values = Object.entries((weights ?? {}) as Record<string, number>);
  const sum = values.reduce((total, [, value]) => total + value, 0);
  return Object.fromEntries(values.map(([name, value]) => [name, Math.round((value / sum) * 10_000)]));
}

/** Objects by the keys that are expected, lists in full, decimals in text by their value. */
function isSame(expected: unknown, given: unknown): boolean {
  if (Array.isArray(expected))
    return (
      Array.isArray(given) &&
      given.length === expected.length &&
      expected.every((each, n) => isSame(each, given[n]))
    );
  if (typeof expected === 'object' && expected !== null)
    return (
      typeof given === 'object' &&
      given !== null &&
      Object.entries(expected).every(([name, value]) =>
        isSame(value, (given as Record<string, unknown>)[name]),
      )
    );
  if (typeof expected === 'string' && typeof given === 'string' && expected !== '' && given !== '')
    return expected === given || Number(expected) === Number(given);
  return expected === given;
}
