import assert from 'node:assert/strict';
import { intentNamed, intents } from '../../../../gateway/assistant/analyst/intents.js';
import { listingNamed } from '../../../../gateway/mcp/catalogue.js';
import { readMarketAnswers } from '../../../support/assistant/market-answers.js';
import { assertReads, textOf } from '../../../support/assistant/prose-rules.js';
import { openToolAnswers, type ToolAnswers } from '../../../support/assistant/tool-answers.js';

const answers = readMarketAnswers();

/** An asset of three years of history, and one that is young, cheap and volatile. */
const assets = ['BTC', 'PEPE', 'SUI'];
const intervals = ['1h', '4h', '1d'] as const;

describe('answers about the market', () => {
  let tools: ToolAnswers;
  before(async () => (tools = await openToolAnswers()));
  after(() => tools.close());

  for (const { intent: name, slots, text } of answers)
    it(`${name} reads as expected for ${JSON.stringify(slots)}`, async () => {
      const intent = intentNamed(name)!;
      const payload = await tools.call(intent.tool!, intent.args(slots));
      const prose = intent.answer(payload, slots);
      assert.equal(textOf(prose), text);
      assertReads(prose, payload, slots, intent.args(slots));
    });

  for (const intent of seriesIntents())
    it(`${intent.name} keeps to the rules for every asset and interval`, async () => {
      for (const asset of assets)
        for (const interval of intervals) {
          const slots = { asset, assets: [asset], interval, indicator: 'macd' };
          const payload = await tools.call(intent.tool!, intent.args(slots));
          assertReads(intent.answer(payload, slots), payload, slots, intent.args(slots));
        }
    });
});

/** The intents whose tools read one asset on one interval, and need nothing that the test does not know. */
function seriesIntents() {
  const given = new Set(['asset', 'indicator']);
  return intents.filter(
    ({ tool, needs }) =>
      tool !== null &&
      listingNamed(tool)?.scope === 'public' &&
      'asset' in (listingNamed(tool)?.inputSchema.properties ?? {}) &&
      'interval' in (listingNamed(tool)?.inputSchema.properties ?? {}) &&
      Object.keys(needs).every((name) => given.has(name)),
  );
}
