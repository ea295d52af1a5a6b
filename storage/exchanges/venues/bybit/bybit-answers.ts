import type { VenueAnswers } from '../../venue-answers.js';

const source = 'https://bybit-exchange.github.io/docs/v5/error';

/** What the codes of Bybit mean. Bybit answers most of them with status 200. */
export const bybitAnswers: VenueAnswers = {
  codeField: 'retCode',
  isInEach: true,
  textField: 'retMsg',
  success: ['0'],
  rows: [
    // No such order, and orders that have ended, which cannot be cancelled (110008, 110010, 170139 to 170190).
    {
      meaning: 'not_found',
      codes: ['110001', '170213', '110008', '110010', '170139', '170142', '170143', '170190'],
      source,
    },
    // Outside of the receive window, and "request expired".
    { meaning: 'clock', codes: ['10002', '-1'], source },
    // Too many requests; 10009: the address is banned; 10019: the service restarts; 429: "a high server load"; 110063: "settlement in
    // progress"; 3100197: the account is being upgraded.
    {
      meaning: 'busy',
      codes: ['10006', '10009', '10018', '10019', '10429', '170005', '170222', '429', '110063', '3100197'],
      source,
    },
    // Duplicate orderLinkId (110072, 170141, 12141), duplicate request (10014).
    { meaning: 'duplicate', codes: ['110072', '170141', '12141', '10014'], source },
    // Server timeout (10000, 170007, 170146), internal error (10016, 170001, 170234), network error (170032), submitted
    // (170035), "create order failed" (170149), the order is processed (110079), "try again later" (3400214).
    {
      meaning: 'unknown',
      codes: [
        '10000',
        '10016',
        '110079',
        '170001',
        '170007',
        '170032',
        '170035',
        '170146',
        '170149',
        '170234',
        '3400214',
      ],
      source,
    },
    // Unknown key, wrong signature, no permission, no authentication, another address, an expired key (33004, -2015); the account is
    // banned (10008, 10027) or restricted (170201).
    {
      meaning: 'key',
      codes: ['10003', '10004', '10005', '10007', '10010', '33004', '-2015', '10008', '10027'],
      source,
    },
    { meaning: 'key', codes: ['170201'], text: /restricted for trades/i, source },
    // "Compliance rules triggered"; the account is not unified.
    { meaning: 'absent', codes: ['10020', '10024', '10028'], source },
  ],
};
