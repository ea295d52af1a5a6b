import assert from 'node:assert/strict';
import { stateAfter } from '../../../../gateway/assistant/analyst/analyst-state.js';
import { understand } from '../../../../gateway/assistant/analyst/understand.js';
import { nowMs, understood } from '../../../support/assistant/understood.js';
import { leastMs } from '../../../support/process/least-ms.js';

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
  'one joint': repeated('and '),
  'joints between questions': repeated('what is the trend of btc and '),
  'joints between different questions': repeated('trend of btc and price of eth and '),
  'joints between questions without an asset': repeated('what is the trend and '),
  'short sentences': repeated('trend. price. '),
  'sentences in a row': repeated('price of btc. '),
  'commas between numbers': repeated('1,111,'),
  'numbers between slashes': repeated('1/'),
  'strategies with parameters': repeated('ema cross 1/2/3/'),
  'parameters without a strategy': repeated('ema 10/'),
  'words in capitals': repeated('ABCX '),
  'capitals before a small letter': `${repeated('ABCX ').slice(1)}a`,
  'prices with a role': repeated('stop 5 '),
  'prices behind a word': repeated('stop at 5 '),
  'a comparison with a long right side': `rsi below ${repeated('the ')}`.slice(0, 2_000),
  'comparisons without sides': repeated('below the '),
  'addresses without an end': repeated('a.b-c@d'),
  'ids without an end': repeated('abcdef01-'),
  'quotation marks': `channel ${repeated('"a ')}`.slice(0, 2_000),
  apostrophes: repeated("a'b"),
  'blank lines': repeated('\n'),
  'astral letters': '\u{1D41A} '.repeat(1_000),
  'ligatures that grow, as many as may be': '\uFDFA'.repeat(2_000),
  'indicators with a number each': repeated('ema 1 and '),
  'questions between commas': repeated('rsi of btc, macd of eth, '),
  'deviations without an end': repeated('z 4 sigma '),
  'ladders without an end': repeated('100 at 50 and '),
  'ranges without an end': repeated('rsi between 1 and 2 '),
  'pairs of exits': repeated('70 before 60 '),
  'changes without an end': repeated('reduce ada by 10 '),
  'talk without an end': repeated('i am, '),
  'asides with assets': repeated('i think sol, '),
  'names of objects': repeated('constructor __proto__ toString hasOwnProperty valueOf '),
};

describe('the reading of hostile texts', () => {
  /** A long reading is seldom left alone by other programs, and the clock of CPU time moves in steps: four make one turn. */
  const readings = (text: string) => () => {
    for (let n = 0; n < 4; n++) understand(text, {}, { nowMs });
  };
  /** What one question of as many characters takes. */
  let ordinaryMs: number;
  before(() => {
    [ordinaryMs] = leastMs([readings(repeated('price of btc '))]);
  });

  for (const [name, text] of Object.entries(texts))
    it(`takes little time for ${name}`, () => {
      const { questions } = understand(text, {}, { nowMs });
      assert.ok(questions.length <= 5);
      // The most take 6 times as long; a reading that looks at each place again for each "and" takes 30 times as long.
      const isQuick = ([ms]: number[]) => ms <= 15 * ordinaryMs;
      const least = leastMs([readings(text)], isQuick);
      assert.ok(isQuick(least), `${least[0]} ms, and ${ordinaryMs} ms for one question`);
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
