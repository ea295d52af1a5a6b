import assert from 'node:assert/strict';
import { recogniser } from '../../../../gateway/assistant/analyst/recognition/default-recogniser.js';
import { isOrdinaryWord } from '../../../../gateway/assistant/analyst/vocabulary/words.js';
import { judgeServed, judgeUnserved } from '../../../support/assistant/judge-answer.js';

describe('words of ordinary English', () => {
  it('are not corrected to words of the field', () => {
    for (const text of ['humour me', 'a gentle hobby'])
      assert.deepEqual(
        recogniser()
          .tokens(text)
          .map((token) => token.text),
        text.split(' '),
      );
    for (const word of ['median', 'double', 'rumour', 'rsi', 'weekly'])
      assert.ok(!isOrdinaryWord(word), word);
  });

  it('are not named as left out, unless they may restrict what is asked', async () => {
    const asked = 'am i even making money with this hobby? pnl of all time';
    const served = await judgeServed({ turns: [asked], tool: 'get_pnl_summary', args: { period: 'all' } });
    assert.equal(served.verdict, 'served', served.text);
    const unserved = await judgeUnserved({
      kind: 'restriction',
      turns: ['volatility of btc during thunderstorms'],
      name: 'thunderstorms',
    });
    assert.equal(unserved.verdict, 'honest', unserved.text);
  });
});
