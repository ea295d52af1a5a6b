import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { readFileSync } from 'node:fs';
import { analyse } from '../../../gateway/assistant/analyst/analyst.js';
import type { AnalystState } from '../../../gateway/assistant/analyst/analyst-state.js';
import type { MadeCall, Toolbox, ToolOutcome } from '../../../gateway/assistant/toolbox.js';
import { toolNamed } from '../../../gateway/mcp/tools.js';
import { jsonSchemaOf, type JsonSchema } from '../../../gateway/openapi/json-schema.js';
import { catalogue, listingNamed } from '../../../gateway/mcp/catalogue.js';
import { demoAssets } from '../../../compute/demo/demo-assets.js';
import { projectRoot } from '../harness/paths.js';
import { isCall } from './judge-turn.js';

/** A question that can't be served as asked. `name`: a pattern of what an honest answer names before any figure. */
export interface UnservedQuestion {
  kind: string;
  turns: string[];
  name: string;
}

/** A question that can be served: the call that its last turn leads to; "term" and "help" for answers without a tool. */
export interface ServedQuestion {
  turns: string[];
  tool: string;
  args: Record<string, unknown>;
}

/** How a question was answered. */
export interface Verdict {
  turns: string[];
  verdict: 'honest' | 'refused' | 'substituted' | 'served' | 'over-refused' | 'wrong';
  text: string;
  calls: MadeCall[];
}

export const unservedQuestions = (): UnservedQuestion[] => readFile('unserved-questions.json');
export const servedQuestions = (): ServedQuestion[] => readFile('served-questions.json');

interface LaterQuestions {
  unserved: UnservedQuestion[];
  served: ServedQuestion[];
}

/** The sets that were written to find what slips through: averages, conditions, negations, times, kinds of orders, talk, German, second values. */
export function laterQuestions(): LaterQuestions {
  const sets = [
    'fifth',
    'sixth',
    'seventh',
    'eighth',
    'ninth',
    'eleventh',
    'twelfth',
    'thirteenth',
    'fourteenth',
    'fifteenth',
    'sixteenth',
    'seventeenth',
    'ordinary',
  ].map((name) => readFile<LaterQuestions>(`${name}-questions.json`));
  return {
    unserved: sets.flatMap(({ unserved }) => unserved),
    served: sets.flatMap(({ served }) => served),
  };
}

/** What strangers ask in their own words: stories around the question, slang, long requests of agents. */
export const strangersQuestions = (): LaterQuestions => readFile('tenth-questions.json');

const readFile = <Type>(file: string): Type =>
  JSON.parse(readFileSync(`${projectRoot}/test/fixtures/assistant/${file}`, 'utf8')) as Type;

const nowMs = Date.UTC(2026, 5, 15, 12);
const symbols = demoAssets.map(({ base }) => base);
const exchanges = ['BINANCE', 'BYBIT', 'KUCOIN', 'PAPER'];
/** Where the figures of a tool stand in an answer. */
const figures = 'FIGURES-OF-A-TOOL';
const ajv = new Ajv2020({ strict: false });
const checks = new Map<string, ValidateFunction>();

interface MarketArguments {
  asset?: string;
  coin?: string;
  second_asset?: string;
  trade_market?: string;
  assets?: string[];
  weights?: Record<string, number>;
}

/** Tools that check their arguments by the catalogue and the market, and answer with a mark in place of figures. */
class MarkingToolbox implements Toolbox {
  readonly names = new Set(catalogue.map(({ name }) => name));

  output(name: string): JsonSchema | undefined {
    const tool = toolNamed(name);
    return tool && jsonSchemaOf(tool.operation.output);
  }

  async call(name: string, args: Record<string, unknown>): Promise<ToolOutcome> {
    const check = checks.get(name) ?? ajv.compile(listingNamed(name)?.inputSchema ?? {});
    checks.set(name, check);
    if (!check(args)) return failed(`the arguments are wrong: ${ajv.errorsText(check.errors)}`);
    const { asset, coin, assets, weights, second_asset, trade_market } = args as MarketArguments;
    const named = [asset, coin, second_asset, ...(assets ?? []), ...Object.keys(weights ?? {})];
    const unknown = named.find((each) => each !== undefined && !symbols.includes(each));
    if (unknown !== undefined) return failed(`asset "${unknown}" is not known here`);
    if (typeof args.end_time === 'string' && args.end_time < '2018')
      return failed(`there are no candles as early as ${args.end_time}`);
    if (trade_market !== undefined && !['USDT', 'BTC'].includes(trade_market))
      return failed(`there is no market against "${trade_market}"`);
    return failed(figures, 'figures');
  }
}

const failed = (message: string, code = 'invalid_input'): ToolOutcome => ({
  ok: false,
  code,
  message,
  details: {},
});

async function answered(turns: readonly string[]) {
  let state: AnalystState = {};
  let last: Awaited<ReturnType<typeof analyse>> | undefined;
  for (const turn of turns) {
    last = await analyse(turn, state, new MarkingToolbox(), { nowMs, symbols, exchanges });
    state = last.state;
  }
  return last!;
}

/** Judges a question that can't be served: figures that stand before what can't be served is named are another question's. */
export async function judgeUnserved({ turns, name }: UnservedQuestion): Promise<Verdict> {
  const { text, calls } = await answered(turns);
  const [before] = text.split(figures);
  const isNamed = new RegExp(`\\b(?:${name})`, 'i').test(before);
  const verdict = isNamed ? 'honest' : text.includes(figures) ? 'substituted' : 'refused';
  return { turns, verdict, text, calls };
}

/** Judges a question that can be served: by its call, and by whether the answer says that something can't be done. */
export async function judgeServed({ turns, tool, args }: ServedQuestion): Promise<Verdict> {
  const { text, calls, declined, asked } = await answered(turns);
  const hasFigures = text.includes(figures);
  const isServed =
    tool === 'term' || tool === 'help'
      ? calls.length === 0 &&
        declined === undefined &&
        asked === undefined &&
        !text.startsWith('I did not understand')
      : hasFigures && calls.some((call) => isCall({ tool, args }, call));
  const isRefused = calls.length === 0 ? !isServed : isNoted(text);
  return { turns, verdict: isRefused ? 'over-refused' : isServed ? 'served' : 'wrong', text, calls };
}

/** Whether something stands before the figures: what can't be served. */
const isNoted = (text: string): boolean => !text.startsWith("I can't answer this: ");
