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
    // CANCEL_REJECTED "Unknown order sent.", NO_SUCH_ORDER.
    { meaning: 'not_found', codes: ['-2011', '-2013'], source: errors },
    // TOO_MANY_REQUESTS, SERVER_BUSY, TOO_MANY_ORDERS, SERVICE_SHUTTING_DOWN (maintenance).
    { meaning: 'busy', codes: ['-1003', '-1004', '-1008', '-1015', '-1016'], source: marginErrors },
    // INVALID_TIMESTAMP: outside of the receive window, or ahead.
    { meaning: 'clock', codes: ['-1021'], source: errors },
    { meaning: 'duplicate', codes: ['-2010'], text: /duplicate order/i, source: errors },
    // "ClientOrderId is duplicated".
    { meaning: 'duplicate', codes: ['-4116'], source: futuresErrors },
    // UNKNOWN, DISCONNECTED, UNEXPECTED_RESP, TIMEOUT, and an order that is archived.
    { meaning: 'unknown', codes: ['-1000', '-1001', '-1006', '-1007', '-2026'], source: errors },
    // UNAUTHORIZED, INVALID_SIGNATURE, BAD_API_ID, BAD_API_KEY_FMT, REJECTED_MBX_KEY: "Invalid API-key, IP, or permissions for action."
    { meaning: 'key', codes: ['-1002', '-1022', '-2008', '-2014', '-2015'], source: errors },
    // "Margin account does not exist.", "Isolated margin account does not exist".
    { meaning: 'absent', codes: ['-3003', '-11001'], source: marginErrors },
  ],
};
