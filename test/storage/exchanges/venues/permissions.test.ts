import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { openCcxt } from '../../../../storage/exchanges/open-ccxt.js';
import { findVenue } from '../../../../storage/exchanges/venues/index.js';
import { listenLocally } from '../../../support/servers/listen-locally.js';

const key = { apiKey: 'the key', secret: 'the secret', passphrase: 'the passphrase' };

/** Answers of KuCoin and Bybit in the format of their API documentation. */
const kucoin = (permission: unknown) => ({
  code: '200000',
  data: { remark: 'x', apiKey: 'the key', apiVersion: 3, permission, createdAt: 1, uid: 1, isMaster: true },
});
const bybit = (readOnly: number, permissions: unknown) => ({
  retCode: 0,
  retMsg: '',
  result: {
    id: '1',
    userID: 24617703,
    note: 'x',
    apiKey: 'the key',
    readOnly,
    secret: '',
    permissions,
    unified: 0,
    uta: 0,
  },
  retExtInfo: {},
  time: 1676891757649,
});

describe('the key permissions of a venue', () => {
  let server: Server;
  let url: string;
  let body: object;
  let asked: IncomingMessage;

  before(async () => {
    server = createServer((request, response) => {
      asked = request;
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    });
    url = await listenLocally(server);
  });
  after(() => server.close());

  const read = async (id: string, answer: object) => {
    body = answer;
    const { exchange } = await openCcxt({
      id,
      url,
      key,
      timeoutMs: 30_000,
      signal: new AbortController().signal,
      afterAnswer: async () => undefined,
    });
    return findVenue(id)!.readPermissions(exchange);
  };

  it('are read from the list of KuCoin', async () => {
    assert.deepEqual(await read('kucoin', kucoin('General,Spot,InnerTransfer')), {
      ...{ mayTrade: true, mayWithdraw: false, accounts: ['SPOT'], accountId: '1' },
    });
    assert.equal(asked.url, '/api/v1/user/api-key');
    assert.equal(asked.headers['kc-api-key'], key.apiKey);
    assert.deepEqual(await read('kucoin', kucoin('General,Margin,Futures')), {
      ...{ mayTrade: true, mayWithdraw: false, accounts: ['MARGIN', 'FUTURES'], accountId: '1' },
    });
    assert.deepEqual(await read('kucoin', kucoin('General')), {
      ...{ mayTrade: false, mayWithdraw: false, accounts: ['SPOT'], accountId: '1' },
    });
    for (const permission of ['General,Transfer', 'General,FlexTransfers', 'General, Withdrawal', 'withdraw'])
      assert.equal((await read('kucoin', kucoin(permission)))!.mayWithdraw, true, permission);
    assert.equal(await read('kucoin', kucoin(undefined)), null);
  });

  it('are read from the lists of Bybit', async () => {
    const wallet = (...Wallet: string[]) => ({ ContractTrade: [], Spot: ['SpotTrade'], Wallet });
    assert.deepEqual(await read('bybit', bybit(0, wallet('AccountTransfer'))), {
      ...{ mayTrade: true, mayWithdraw: false, accounts: ['SPOT', 'MARGIN'], accountId: '24617703' },
    });
    assert.equal(asked.url?.split('?')[0], '/v5/user/query-api');
    assert.deepEqual(await read('bybit', bybit(1, { ...wallet(), ContractTrade: ['Order', 'Position'] })), {
      ...{
        mayTrade: false,
        mayWithdraw: false,
        accounts: ['SPOT', 'MARGIN', 'FUTURES'],
        accountId: '24617703',
      },
    });
    const futuresAlone = { ContractTrade: ['Order', 'Position'], Spot: [], Wallet: [] };
    assert.deepEqual(await read('bybit', bybit(0, futuresAlone)), {
      ...{ mayTrade: true, mayWithdraw: false, accounts: ['FUTURES'], accountId: '24617703' },
    });
    assert.equal((await read('bybit', bybit(0, wallet('AccountTransfer', 'Withdraw'))))!.mayWithdraw, true);
    for (const answer of [bybit(0, {}), { retCode: 0, result: {} }])
      assert.equal(await read('bybit', answer), null);
  });
});
