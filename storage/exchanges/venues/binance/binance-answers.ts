import type { VenueAnswers } from '../../venue-answers.js';

const errors = 'https://developers.binance.com/docs/binance-spot-api-docs/errors';
const marginErrors = 'https://developers.binance.com/docs/margin_trading/error-code';
const futuresErrors = 'https://developers.binance.com/docs/derivatives/usds-margined-futures/error-code';

/** What the codes of Binance mean. */
export const binanceAnswers: VenueAnswers = {
  codeField: 'code',
  textField: 'msg',
  success: ['0', '200'],
  rows: [
    // "Messages for -1010 ERROR_MSG_RECEIVED, -2010 NEW_ORDER_REJECTED, and -2011 CANCEL_REJECTED": the account may not trade.
    {
      meaning: 'key',
      codes: ['-1010', '-2010', '-2011'],
      text: /disabled on this account|may not place or cancel orders/i,
      source: errors,
    },
    // CANCEL_REJECTED "Unknown order sent.", NO_SUCH_ORDER.
    { meaning: 'not_found', codes: ['-2011', '-2013'], source: errors },
    // TOO_MANY_REQUESTS, SERVER_BUSY, TOO_MANY_ORDERS, SERVICE_SHUTTING_DOWN (maintenance).
    { meaning: 'busy', codes: ['-1003', '-1004', '-1008', '-1015', '-1016'], source: marginErrors },
    // INVALID_TIMESTAMP: outside of the receive window, or ahead.
    { meaning: 'clock', codes: ['-1021'], source: errors },
    { meaning: 'duplicate', codes: ['-2010'], text: /duplicate order/i, source: errors },
    // "ClientOrderId is duplicated".
    { meaning: 'duplicate', codes: ['-4116'], source: futuresErrors },
    // "You have pending transaction, please try again later", "PNL is clearing. Wait a second.", "System busy."
    { meaning: 'busy', codes: ['-3007', '-3037', '-3044'], source: marginErrors },
    // ME_RECVWINDOW_REJECT: it waited too long for the matching engine; TOO_MANY_REQUESTS_IN_QUEUE of an account.
    { meaning: 'busy', codes: ['-5028', '-5041'], source: futuresErrors },
    // "Internal server error."
    { meaning: 'unknown', codes: ['-3000'], source: marginErrors },
    // UNKNOWN, DISCONNECTED, UNEXPECTED_RESP, TIMEOUT, and an order that is archived.
    { meaning: 'unknown', codes: ['-1000', '-1001', '-1006', '-1007', '-2026'], source: errors },
    // UNAUTHORIZED, INVALID_SIGNATURE, BAD_API_ID, BAD_API_KEY_FMT, REJECTED_MBX_KEY: "Invalid API-key, IP, or permissions for action."
    { meaning: 'key', codes: ['-1002', '-1022', '-2008', '-2014', '-2015'], source: errors },
    // "API Keys are locked on this account."; "You account's trading is banned."
    { meaning: 'key', codes: ['-2017'], source: futuresErrors },
    { meaning: 'key', codes: ['-3022'], source: marginErrors },
    // "Margin account does not exist.", "Isolated margin account does not exist".
    { meaning: 'absent', codes: ['-3003', '-11001'], source: marginErrors },
  ],
};
