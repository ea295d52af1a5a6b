import assert from 'node:assert/strict';
import { stateAfter } from '../../../../gateway/assistant/analyst/analyst-state.js';
import { understand } from '../../../../gateway/assistant/analyst/understand.js';
import { nowMs, understood } from '../../../support/assistant/understood.js';

const repeated = (piece: string) => piece.repeat(Math.ceil(2_000 / piece.length)).slice(0, 2_000);
/** Texts of 2,000 characters that are hard on one part of the reading each. */
const texts: Readonly<Record<string, string>> = {
  'misspelt long words': repeated('accumulattion correlatoin retracemnt '),
  'unknown words': repeated('qwxzv zzyqk plorf '),
  'every joint': repeated('btc and eth, also sol then '),
  'numbers without an end': repeated('9,999,999.99k '),
  'one word': repeated('a'),
  comparisons: repeated('rsi below 30 above over '),
  marks: repeated('?!;.,/<>='),
  'many questions': repeated('trend of btc? '),
  'weights and percents': repeated('50% btc 50% '),
  'signs of other scripts': repeated('a\u0301\u0302\u0303'),
  'surrogate pairs': repeated('\u{1F680}\u{1D400}'),
  'broken surrogates': repeated('\uD83D x \uDE80'),
  'zero widths and directions': repeated('b\u200Bt\u202Ec\u2066 '),
  'a ligature that grows': repeated('\uFDFA'),
  placeholders: repeated('{asset} {conditions} '),
  'names of objects': repeated('constructor __proto__ toString hasOwnProperty valueOf '),
};

describe('the reading of hostile texts', () => {
  before(() => understood(['trend of btc']));

  for (const [name, text] of Object.entries(texts))
    it(`takes little time for ${name}`, () => {
      const started = process.cpuUsage();
      const { questions } = understand(text, {}, { nowMs });
      const { user } = process.cpuUsage(started);
      assert.ok(questions.length <= 5);
      // A tenth of this is usual; the rest is for slow machines.
      assert.ok(user < 400_000, `${user / 1_000} ms`);
    });

  it('keeps the state of a conversation within 4 KB', () => {
    const long = `coins with ${Array.from({ length: 6 }, (_, n) => `rsi below ${n}`).join(' and ')}`;
    const ladder = `ladder of btc ${Array.from({ length: 300 }, (_, n) => 10_000 + n).join(' ')}`;
    for (const text of [...Object.values(texts), long, ladder]) {
      const { questions } = understand(text, {}, { nowMs });
      assert.ok(Buffer.byteLength(JSON.stringify(stateAfter({}, questions))) <= 4_096);
    }
  });

  it('survives a round trip of the state through JSON', () => {
    const [{ state }] = understood(['backtest ema cross 10/30 on btc over 6 months']);
    const { questions } = understand('and on eth?', JSON.parse(JSON.stringify(state)) as typeof state, {
      nowMs,
    });
    assert.deepEqual(
      questions.map(({ intent, slots: { asset, period, params } }) => ({
        intent: intent.name,
        asset,
        period,
        params,
      })),
      [{ intent: 'run-backtest', asset: 'ETH', period: '6M', params: { fast: 10, slow: 30 } }],
    );
  });

  it('reads braces of users as words', () => {
    const [{ asked }] = understood(['what does {asset} mean']);
    assert.ok(asked.questions.every(({ slots }) => slots.asset === undefined));
  });
});
