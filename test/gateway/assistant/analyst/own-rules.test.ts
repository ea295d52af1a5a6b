import assert from 'node:assert/strict';
import { openTestMarket } from '../../../support/candles/market.js';
import type { TestService } from '../../../support/gateway/gateway.js';

interface Answer {
  response: string;
  conversationId: string;
  figures: { tools: { tool: string; args: Record<string, unknown> }[] };
}

describe('rules that a message describes', function () {
  this.timeout(60_000);
  let service: TestService;
  let token: string;
  before(async () => ({ service, token } = await openTestMarket()));
  after(() => service.close());

  const ask = async (message: string, conversationId?: string, path = 'chat') => {
    const body = { message, ...(conversationId === undefined ? {} : { conversationId }) };
    const headers: Record<string, string> = path === 'chat' ? { 'session-token': token } : {};
    const answer = await service.post(`/backend/assistant/${path}`, body, headers);
    assert.equal(answer.status, 200, JSON.stringify(answer.payload));
    return answer.payload as Answer;
  };
  const toolsOf = ({ figures }: Answer) => figures.tools.map(({ tool }) => tool);

  it('are said as understood, with what is guessed, and run after a yes', async () => {
    const first = await ask('backtest rsi below 30 in an uptrend since March 2024');
    assert.equal(
      first.response,
      [
        'I understood these rules: Buy at the next open when rsi_14 is below 30 and close is above sma_200. Sell at the next open when rsi_14 is above 50. Each position takes an equal part of the account. On BTC, 1d candles, from 2024-03-01 on.',
        'I guessed that "uptrend" means a close above sma_200; the exit, rsi_14 above 50, because you named none; BTC, because you named no asset; 1d candles. Say "yes" to run this, or ask again with what should be different.',
      ].join('\n\n'),
    );
    assert.deepEqual(toolsOf(first), ['check_strategy']);
    const second = await ask('yes', first.conversationId);
    assert.match(second.response, /^BTC from 2024-\d\d-\d\d to 2025-05-15: return -?[\d.]+ % in \d+ trades/);
    const [{ tool, args }] = second.figures.tools;
    assert.equal(tool, 'research_backtest');
    assert.deepEqual([args.asset, args.interval, args.from], ['BTC', '1d', '2024-03-01']);
    // What was run is not run again by another yes.
    assert.deepEqual(toolsOf(await ask('yes', first.conversationId)).includes('research_backtest'), false);
  });

  it('are run at once where nothing is guessed', async () => {
    const answer = await ask(
      'backtest ETH on 4h: buy rsi below 40 and close above the 50 day average, sell when rsi is above 60',
    );
    assert.deepEqual(toolsOf(answer), ['check_strategy', 'research_backtest']);
    assert.match(
      answer.response,
      /^I understood these rules: Buy at the next open when rsi_14 is below 40 and close is above sma_50\. Sell at the next open when rsi_14 is above 60\. .*On ETH, 4h candles, over the whole history\.\n\nETH from /,
    );
  });

  it('take an exit that names the entry again for its end, and run', async () => {
    for (const [message, exit] of [
      [
        'test on ETH daily, go long when the close crosses over the fifty ema, get out when it closes back under it',
        { left: 'close', op: '<', right: 'ema_50' },
      ],
      [
        'i buy ETH when macd goes over its signal and adx is more than 20, and i sell when macd goes under, daily, would it earn',
        { left: 'macd', op: '<', right: 'macd_signal' },
      ],
    ] as const) {
      const answer = await ask(message);
      assert.deepEqual(toolsOf(answer), ['check_strategy', 'research_backtest'], answer.response);
      const { strategy } = answer.figures.tools[0].args as { strategy: { long: { exit: object } } };
      assert.deepEqual(strategy.long.exit, exit);
    }
  });

  it('may compare the close, and leave where a line crosses back', async () => {
    const rulesOf = async (message: string) =>
      (await ask(message)).figures.tools.map(({ args }) => args.strategy)[0];
    assert.deepEqual(
      await rulesOf(
        'buy BTC on the daily when the close is above SMA 200 and RSI 14 is under 40, sell when RSI 14 is over 65',
      ),
      {
        long: {
          entry: {
            all: [
              { left: 'close', op: '>', right: 'sma_200' },
              { left: 'rsi_14', op: '<', right: '40' },
            ],
          },
          exit: { left: 'rsi_14', op: '>', right: '65' },
        },
      },
    );
    assert.deepEqual(
      await rulesOf('enter long ETH when ema 20 crosses above ema 50 on 1h, exit when it crosses back below'),
      {
        long: {
          entry: { left: 'ema_20', op: 'crosses_above', right: 'ema_50' },
          exit: { left: 'ema_20', op: 'crosses_below', right: 'ema_50' },
        },
      },
    );
    const { response } = await ask(
      'buy ETH when rsi is below 30, sell when it goes back over 55, 4h, stop loss 3%',
    );
    assert.match(response, /I guessed that "stop loss 3%" changes nothing/);
  });

  it('are said to guests, who are asked to sign in to run them', async () => {
    const first = await ask('backtest rsi below 30 in an uptrend', undefined, 'guest-chat');
    assert.match(first.response, /^I understood these rules/);
    const second = await ask('yes', first.conversationId, 'guest-chat');
    assert.equal(second.response, 'To run this I need your account. Sign in and ask again.');
  });

  it('of one comparison are the built-in strategy that trades it', async () => {
    assert.deepEqual(toolsOf(await ask('backtest rsi below 25 on BTC')), ['run_backtest']);
  });
});
