import assert from 'node:assert/strict';
import { keyTrialRig } from '../../../support/gateway/key-trial-rig.js';
import { partnerClient } from '../../../support/signals/partner-client.js';

describe('subscriptions on a real exchange', function () {
  this.timeout(30_000);
  const rig = keyTrialRig();
  let channel: string;
  before(async () => {
    const partner = await partnerClient(rig.service);
    await partner.create();
    channel = (await rig.service.storage.channels.first(partner.id))!.id;
  });

  const switchTo = (live: 'on' | 'off') => (rig.service.deps.settings.LIVE_TRADING = live);
  afterEach(() => switchTo('off'));
  const subscribe = (exchange: string) =>
    rig.service.post('/backend/subscriptions', { channel, exchange }, { 'session-token': rig.token });
  const refusal = async (exchange: string) => {
    const { status, result, payload } = await subscribe(exchange);
    return [status, result.type, JSON.stringify([result, payload])];
  };

  it('are refused in plain words while live trading is off', async () => {
    await rig.startTrials();
    await rig.connect();
    assert.deepEqual((await refusal('BINANCE')).slice(0, 2), [400, 'INVALID_INPUT_EXCHANGE']);
    assert.match(JSON.stringify(await refusal('BINANCE')), /live trading is off/);
  });

  it('need a connected exchange that is traded on', async () => {
    switchTo('on');
    assert.match(JSON.stringify(await refusal('BINANCE')), /is not connected/);
    assert.match(JSON.stringify(await refusal('KRAKEN')), /must be one of PAPER, BINANCE/);
  });

  it('are accepted with a key that may trade, and the key is tried anew', async () => {
    await rig.startTrials();
    await rig.connect();
    switchTo('on');
    rig.account.setup.mayWithdraw = true;
    assert.match(JSON.stringify(await refusal('BINANCE')), /may withdraw/);
    Object.assign(rig.account.setup, { mayWithdraw: false, mayTrade: false });
    assert.match(JSON.stringify(await refusal('BINANCE')), /may not trade/);
    rig.account.setup.mayTrade = true;
    const { status, payload } = await subscribe('BINANCE');
    assert.deepEqual([status, payload.exchange, payload.watchedStops], [200, 'BINANCE', []]);
  });

  it('are refused for an account of a kind that is not traded on, which connecting it has told', async () => {
    await rig.startTrials();
    rig.account.setup.isPortfolioMargin = true;
    const { status, payload } = await rig.connect();
    const [, connected] = payload.exchanges as Record<string, unknown>[];
    const why =
      'signals are not executed on portfolio margin accounts of binance; use an account without portfolio margin';
    assert.deepEqual(
      [status, connected.mayTrade, connected.objection, connected.permissions],
      [200, false, why, { read: true, trade: true, withdraw: false }],
    );
    switchTo('on');
    const [code, type, text] = await refusal('BINANCE');
    assert.deepEqual([code, type], [400, 'INVALID_INPUT_EXCHANGE']);
    assert.ok(String(text).includes(why), String(text));
  });
});
