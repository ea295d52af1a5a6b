import assert from 'node:assert/strict';
import { openTestMarket } from '../../support/candles/market.js';
import type { TestService } from '../../support/gateway/gateway.js';
import { connectMcp, type McpTestClient } from '../../support/mcp/mcp-client.js';

interface ErrorLike {
  code: string;
  message: string;
  field?: string;
  allowed?: string;
}

describe('the MCP connector', () => {
  let service: TestService;
  let guest: McpTestClient;

  before(async () => {
    ({ service } = await openTestMarket());
    guest = await connectMcp(service.url);
  });
  after(async () => {
    await guest.close();
    await service.close();
  });

  it('greets with instructions and lists prompts and guides', async () => {
    assert.match(guest.client.getInstructions() ?? '', /^Tidemark answers questions about crypto markets/);
    const { prompts } = await guest.client.listPrompts();
    assert.deepEqual(
      prompts.map(({ name }) => name),
      ['backtest-honestly', 'check-my-portfolio', 'market-brief', 'plan-a-trade'],
    );
    const { resources } = await guest.client.listResources();
    assert.equal(resources.length, 4);
    for (const { uri } of resources) {
      const { contents } = await guest.client.readResource({ uri });
      assert.ok('text' in contents[0] && contents[0].text.startsWith('# '), uri);
    }
  });

  it('answers with the figures of REST, in text and structure', async () => {
    const { structured, text, isError } = await guest.call('get_momentum_reading', { asset: 'BTC' });
    assert.equal(isError, false);
    const { payload } = await service.post('/backend/analysis/momentum', { asset: 'BTC' });
    assert.equal(structured.rsi.results.rsi_moving_avg, payload.rsi.results.rsiMovingAvg);
    assert.equal(structured.macd.last_cross.candles_ago, payload.macd.lastCross.candlesAgo);
    assert.deepEqual(
      [structured.as_of, structured.source, structured.warmup_ok],
      [payload.asOf, payload.source, true],
    );
    assert.match(
      text,
      /^Momentum of BTC on 1d is [a-z ]+: RSI [\d.]+ \(neutral, (rising|falling|flat)\), MACD (up|down|flat), (just crossed (above|below)|no fresh cross of) its signal line\./,
    );
  });

  it('cuts an answer to 24 KB and says so, with the newest candles kept', async () => {
    const { structured, bytes } = await guest.call('get_trend_chart', { asset: 'BTC', limit: 500 });
    assert.ok(bytes <= 24 * 1024, `${bytes} bytes`);
    assert.equal(structured.truncated, true);
    const { payload } = await service.post('/backend/core-line/chart', { asset: 'BTC', limit: 500 });
    assert.equal(structured.candles.rows.at(-1)[0], payload.candles.at(-1).time);
    assert.deepEqual(structured.candles.columns, ['time', 'open', 'high', 'low', 'close', 'volume']);
  });

  it('names an unknown argument that is called as a property of every object', async () => {
    const known = 'asset, interval, trade_market';
    for (const name of ['constructor', 'valueOf']) {
      const { structured, isError } = await guest.call('get_momentum_reading', { asset: 'BTC', [name]: 1 });
      assert.equal(isError, true, name);
      const { code, message, allowed, try_next: next } = structured.error;
      assert.deepEqual([code, allowed, next], ['invalid_input', known, undefined], name);
      assert.match(message, /is no argument; the arguments are asset, interval, trade_market$/);
    }
  });

  it('takes an empty argument of a prompt as one that is not given', async () => {
    const named = { name: 'market-brief' };
    const given = await guest.client.getPrompt({ ...named, arguments: { interval: '' } });
    assert.deepEqual(given, await guest.client.getPrompt(named));
  });

  it('tells a model what it can mend, and how', async () => {
    const errorOf = async (name: string, args: Record<string, unknown>) => {
      const { structured, isError } = await guest.call(name, args);
      assert.equal(isError, true);
      return structured.error as unknown;
    };
    assert.deepEqual(await errorOf('get_momentum_reading', { asset: 'wbtc' }), {
      ...{ code: 'invalid_input', message: 'asset "WBTC" is not known here', field: 'asset' },
      try_next: 'list_assets',
    });
    assert.deepEqual(await errorOf('scan_recent_flips', { limit: 'ten' }), {
      code: 'invalid_input',
      message: '"limit" must be a whole number, such as 10 (Max rows, cap 100), found "ten"',
      ...{ field: 'limit', allowed: 'a whole number, such as 10 (Max rows, cap 100)' },
    });
    const { message } = (await errorOf('screen_assets', {})) as { message: string };
    assert.match(message, /^"conditions" is required: a list of objects with left, op, right/);
    assert.deepEqual(await errorOf('get_price', { assets: Array(21).fill('BTC') }), {
      code: 'invalid_input',
      message: '"assets" must have at most 20 items, found an array of 21',
      field: 'assets',
      allowed: 'at most 20 items',
      try_next: 'list_assets',
    });
    assert.deepEqual(await errorOf('get_momentum_reading', { asset: 'BTC', intervall: '1h' }), {
      code: 'invalid_input',
      message: '"intervall" is no argument; did you mean "interval"?',
      field: 'intervall',
      nearest: 'interval',
    });
    assert.deepEqual(await errorOf('get_momentum_reading', { aset: 'BTC' }), {
      ...{ code: 'invalid_input', message: '"asset" is required, found "aset"', field: 'asset' },
      ...{ allowed: 'a text in quotes (Base symbol, e.g. BTC)', try_next: 'list_assets' },
    });
    assert.deepEqual(await errorOf('get_momentum_reading', { asset: 'BTC', interval: '1w' }), {
      code: 'invalid_input',
      message: '"interval" must be one of 1h, 4h, 1d, found "1w"',
      field: 'interval',
      allowed: '1h, 4h, 1d',
    });
    const indicators = [{ name: 'rsj' }];
    const unknown = (await errorOf('get_indicator_values', { asset: 'BTC', indicators })) as ErrorLike;
    assert.match(unknown.message, /must be one of \[.*vwap.*\], found "rsj"; did you mean "rsi"\?$/);
    assert.ok(unknown.allowed!.split(', ').length > 30, unknown.allowed);
    const strategy = (await errorOf('list_backtest_strategies', { id: 'none' })) as ErrorLike;
    assert.doesNotMatch(strategy.message + strategy.allowed, /\bnull\b/);
    assert.ok(strategy.allowed!.includes('ema_cross'));
    const market = (await errorOf('get_trend_chart', { asset: 'BTC', trade_market: 'EUR' })) as ErrorLike;
    assert.equal(market.allowed, 'USDT');
    const cursor = (await errorOf('list_assets', { cursor: 'zzz' })) as ErrorLike;
    assert.deepEqual([cursor.code, cursor.field], ['invalid_input', 'cursor']);
  });

  it('answers a call of an unknown tool with a protocol error that names the nearest', async () => {
    await assert.rejects(guest.call('get_momentum'), {
      message: 'there is no tool "get_momentum"; tools/list names them',
    });
    await assert.rejects(guest.call('list_indicator'), {
      message: 'there is no tool "list_indicator"; did you mean "list_indicators"?',
    });
  });
});
