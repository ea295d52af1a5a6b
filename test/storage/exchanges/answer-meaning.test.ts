import assert from 'node:assert/strict';
import { answerMeaning } from '../../../storage/exchanges/answer-meaning.js';
import type { AnswerMeaning } from '../../../storage/exchanges/venue-answers.js';
import { venues } from '../../../storage/exchanges/venues/index.js';

const meaning = (id: string, status: number, body: object | string): AnswerMeaning =>
  answerMeaning(id, {
    ...{ status, dateMs: null, retryAfterMs: null, headers: new Headers() },
    body: () => (typeof body === 'string' ? body : JSON.stringify(body)),
  });

/** Codes of Binance as its documentation lists them, with the status that it sends. */
const binance: [AnswerMeaning, number, number, string?][] = [
  ['not_found', 400, -2011],
  ['not_found', 400, -2013],
  ['busy', 400, -1008],
  ['busy', 400, -1015],
  ['busy', 400, -1016],
  ['clock', 400, -1021],
  ['duplicate', 400, -2010, 'Duplicate order sent.'],
  ['refused', 400, -2010, 'Account has insufficient balance for requested action.'],
  ['key', 400, -2010, 'This action is disabled on this account.'],
  ['key', 400, -2011, 'This account may not place or cancel orders.'],
  ['key', 400, -2017, 'API Keys are locked on this account.'],
  ['key', 400, -3022],
  ['busy', 400, -3037, 'PNL is clearing. Wait a second.'],
  ['busy', 400, -3044, 'System busy.'],
  ['unknown', 400, -3000, 'Internal server error.'],
  ['busy', 400, -5028],
  ['busy', 400, -5041],
  ['refused', 400, -2021, 'Order would immediately trigger.'],
  ['duplicate', 400, -4116],
  ['unknown', 400, -1001],
  ['unknown', 400, -1006],
  ['unknown', 400, -1007],
  ['key', 401, -2015],
  ['key', 401, -2014],
  ['key', 400, -1022],
  ['absent', 400, -3003],
  ['absent', 400, -11001],
  ['refused', 400, -1013, 'Filter failure: NOTIONAL'],
  ['refused', 400, -1121],
];

const bybit: Partial<Record<AnswerMeaning, readonly number[]>> = {
  not_found: [110001, 170213, 110008, 110010, 170139, 170142, 170143, 170190],
  clock: [10002, -1],
  busy: [10006, 10009, 10018, 10019, 10429, 170005, 170222, 429, 110063, 3100197],
  duplicate: [110072, 170141, 12141, 10014],
  unknown: [0, 10000, 10016, 110079, 170001, 170007, 170032, 170035, 170146, 170149, 170234, 3400214],
  key: [10003, 10004, 10005, 10007, 10010, 33004, 10008, 10027],
  absent: [10020, 10024, 10028],
  refused: [10001, 110007, 110017, 110094, 170131, 170134, 170140, 176034],
};

const kucoin: [AnswerMeaning, string, string][] = [
  ['not_found', '100001', 'error.getOrder.orderNotExist'],
  ['not_found', '400100', 'order_not_exist_or_not_allow_to_cancel'],
  ['not_found', '400100', 'The order does not exist.'],
  ['not_found', '400100', 'order not exist'],
  ['not_found', '100004', 'Order is in not cancelable state'],
  ['clock', '400002', 'Invalid KC-API-TIMESTAMP'],
  ['busy', '429000', 'too many requests'],
  ['busy', '200002', 'Too many requests in a short period of time'],
  ['busy', '403', 'Exceeded the access frequency'],
  ['duplicate', '126044', 'as told'],
  ['duplicate', '126033', 'Duplicate order'],
  ['duplicate', '400100', 'clientOid is already used'],
  ['unknown', '408000', 'Network timeout, please try again later'],
  ['unknown', '500000', 'Internal Server Error'],
  ['unknown', '126038', 'Third-party service call failed'],
  ['unknown', '200000', ''],
  ['key', '400003', 'KC-API-KEY not exists'],
  ['key', '400007', 'Access denied, requires more permission.'],
  ['key', '411100', 'User is frozen'],
  ['absent', '101030', "You haven't yet enabled the margin trading"],
  ['absent', '400302', 'Our services are currently unavailable in your region'],
  ['refused', '100001', 'There are invalid parameters'],
  ['refused', '200004', 'Balance insufficient!'],
  ['refused', '300003', 'The available balance is insufficient.'],
  ['refused', '330005', "The order's margin mode does not match the selected one."],
  ['refused', '400100', 'Unsupported trading pair.'],
  ['refused', '600101', 'The order funds should more then 0.1 USDT.'],
];

describe('what an answer of an exchange means', () => {
  for (const [expected, status, code, msg = 'as told'] of binance)
    it(`is "${expected}" by ${code} of Binance (${msg})`, () =>
      assert.equal(meaning('binance', status, { code, msg }), expected));
  for (const [expected, codes] of Object.entries(bybit))
    for (const retCode of codes)
      it(`is "${expected}" by ${retCode} of Bybit`, () =>
        assert.equal(meaning('bybit', 200, { retCode, retMsg: 'as told' }), expected));
  for (const [expected, code, msg] of kucoin)
    it(`is "${expected}" by "${code} ${msg}" of KuCoin`, () =>
      assert.equal(meaning('kucoin', 200, { code, msg }), expected));

  for (const [id, refusal] of [
    ['binance', { code: -2015, msg: 'Invalid API-key, IP, or permissions for action.' }],
    ['bybit', { retCode: 10003, retMsg: 'API key is invalid.' }],
    ['kucoin', { code: '400003', msg: 'KC-API-KEY not exists' }],
  ] as const) {
    it(`is transient on ${id} by its status, whatever the body says`, () => {
      for (const status of [500, 502, 503, 504, 408]) assert.equal(meaning(id, status, refusal), 'unknown');
      for (const status of [418, 425, 429]) assert.equal(meaning(id, status, refusal), 'busy');
    });

    it(`is transient on ${id} where it is a page, empty, or without a code`, () => {
      for (const body of ['<html>Bad Gateway</html>', '', '{}', '{"data":'])
        for (const status of [200, 400, 404]) assert.equal(meaning(id, status, body), 'unknown');
      assert.equal(meaning(id, 403, '<html>Request blocked</html>'), 'busy');
    });
  }

  it('is "absent" by 451, because the exchange serves nobody where this service runs', () => {
    const msg = 'Service unavailable from a restricted location';
    assert.equal(meaning('binance', 451, { code: 0, msg }), 'absent');
  });

  it('has a source for every row', () => {
    for (const { id, answers } of Object.values(venues))
      for (const { source } of answers.rows) assert.match(source, /^https:\/\//, id);
  });
});
