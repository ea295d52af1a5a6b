import assert from 'node:assert/strict';
import { Decimal } from '../../../compute/model/decimal.js';
import { priceInBand } from '../../../compute/model/pair-rules.js';
import { makeExecution, testRules } from '../../support/signals/make-execution.js';
import { ScriptedExchange } from '../../support/signals/scripted-exchange.js';

const d = (text: string) => Decimal.parse(text);

describe('priceInBand', () => {
  const rules = { ...testRules, mostBuyRatio: d('1.05'), leastSellRatio: d('0.95') };

  it('is the nearest price that the exchange takes, on the tick, and the price itself where no end is named', () => {
    const near = (price: string, side: 'buy' | 'sell') =>
      String(priceInBand(d(price), side, { market: d('33.333'), rules }));
    assert.deepEqual([near('35', 'buy'), near('34.99', 'buy'), near('1', 'buy')], ['34.99', '34.99', '1']);
    assert.deepEqual(
      [near('31.66', 'sell'), near('31.67', 'sell'), near('99', 'sell')],
      ['31.67', '31.67', '99'],
    );
  });

  it('holds the limit of a stop near its trigger, and sells at market instead of far below it', () => {
    const execution = { ...makeExecution({}, { stopOnExchange: true }), rules };
    const exchange = new ScriptedExchange(execution).tick('100');
    exchange.tell({ type: 'trailing_stop', stop: { trigger: d('95'), limit: d('80') } });
    const stop = exchange.book.find(({ leg }) => leg === 'stop')!;
    assert.deepEqual([stop.stopPrice, stop.price].map(String), ['95', '90.25']);
    const watched = new ScriptedExchange({ ...makeExecution(), rules }).tick('100');
    watched.tell({ type: 'trailing_stop', stop: { trigger: d('95'), limit: d('80') } }).tick('94');
    const close = watched.placed.find(({ leg }) => leg === 'close')!;
    assert.deepEqual([close.type, close.price, watched.execution.status], ['market', null, 'closed']);
  });
});
