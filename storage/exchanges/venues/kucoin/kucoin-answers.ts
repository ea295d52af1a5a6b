import type { VenueAnswers } from '../../venue-answers.js';

const gateway = 'https://www.kucoin.com/docs-new/error-code/websocket';
const spot = 'https://www.kucoin.com/docs/basic-info/errors-code/spot-errors-code';

/**
 * What the codes of KuCoin mean. One code may have several meanings; the text tells which. An order that cannot be cancelled counts
 * as not found: it has ended.
 */
export const kucoinAnswers: VenueAnswers = {
  codeField: 'code',
  isInEach: true,
  textField: 'msg',
  success: ['200000'],
  rows: [
    // No such order (126043), and one that is not in a state to be cancelled (100004). 100001 is also an invalid parameter of futures.
    { meaning: 'not_found', codes: ['100004', '126043', 'order_not_exist'], source: spot },
    { meaning: 'not_found', text: /order.?(does )?.?not.?exist/i, source: spot },
    { meaning: 'clock', codes: ['400002'], source: gateway },
    { meaning: 'busy', codes: ['429000', '200002'], source: spot },
    { meaning: 'busy', text: /exceeded the access frequency|too many requests/i, source: spot },
    // Duplicate order (126033), duplicate clientOid (126044).
    { meaning: 'duplicate', codes: ['126033', '126044'], source: spot },
    { meaning: 'duplicate', text: /duplicate|client.?oid.*(exist|repeat|used)/i, source: spot },
    // Network timeout (408000), internal error (500000), failed calls of other services.
    {
      meaning: 'unknown',
      codes: ['408000', '500000', '126038', '126039', '135005', '135018'],
      source: spot,
    },
    // No such key, wrong passphrase or signature, another address, no permission, an old version of the key.
    {
      meaning: 'key',
      codes: ['400001', '400003', '400004', '400005', '400006', '400007', '400008', '400009', '400010'],
      source: gateway,
    },
    // The account is frozen.
    { meaning: 'key', codes: ['411100'], source: spot },
    // "You haven't yet enabled the margin trading".
    { meaning: 'absent', codes: ['101030'], source: spot },
    // Not offered in the region, or without identification.
    { meaning: 'absent', codes: ['400301', '400302', '400303'], source: gateway },
    { meaning: 'unknown', text: /timeout|timed out|try again|system.*busy|internal/i, source: spot },
  ],
};
