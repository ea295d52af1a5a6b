import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { readSettings } from '../../../storage/process/read-settings.js';
import {
  prepareEntries,
  rankedEntries,
  type DocsEntry,
} from '../../../gateway/web/docs-client/ranked-entries.js';
import { docsParts } from '../../../gateway/web/docs/docs-parts.js';
import { searchIndex } from '../../../gateway/web/docs/search-index.js';

/** Questions as people ask them, and the anchors of the places that answer them, of which one has to be found. */
const questions: readonly (readonly [question: string, ...places: string[]])[] = [
  ['copy trading', 'add-subscription-post', 'list-subscriptions-get', 'change-subscription-patch'],
  ['follow a channel', 'add-subscription-post'],
  ['how do I get candles', 'chart-post', 'candles-post'],
  ['ohlc', 'chart-post', 'candles-post'],
  ['sign in', 'login-post', 'sessions'],
  ['register an account', 'sign-up-post'],
  ['rate limit', 'limits'],
  ['too many requests', 'limits'],
  ['hmac signature', 'signing'],
  ['connect claude', 'claude', 'connect'],
  ['how do I connect binance', 'connect-exchange-post'],
  ['what did I earn', 'get-profits-get'],
  ['how much is my account worth', 'get-equity-get', 'get-portfolio-status-get'],
  ['backtest my own strategy', 'research-backtest-post'],
  ['optimise parameters', 'research-sweep-post', 'sweep-post'],
  ['overfitting', 'walk-forward-post', 'research-walk-forward-post'],
  ['was it luck', 'monte-carlo-post', 'run-monte-carlo-post'],
  ['download trades as csv', 'backtest-trades-get', 'run-trades-get'],
  ['share a backtest', 'share-backtest-post'],
  ['position size', 'position-size-post'],
  ['support and resistance', 'support-resistance-post'],
  ['stop trading at once', 'pause-trading-post', 'close-all-post'],
  ['sell everything', 'close-all-post'],
  ['averageEntry', 'dca-ladder-post'],
  ['delete my account', 'delete-account-post'],
  ['forgot password', 'ask-password-reset-post', 'reset-password-post'],
  [
    'send a signal as a partner',
    'member-create-signal-v1-post',
    'create-signal-v1-post',
    'create-signal-v2-post',
    'send',
  ],
  [
    'move the stop of a signal',
    'add-trailing-stop-post',
    'member-add-trailing-stop-post',
    'update-prices-put',
  ],
  ['personal access token', 'create-token-post', 'personal', 'list-tokens-get'],
  ['tick size', 'exchange-rules-post'],
];

describe('the search of the documentation', () => {
  const parts = docsParts(readSettings({}));
  const text = searchIndex(parts);
  const entries = JSON.parse(text.slice(text.indexOf('['), text.lastIndexOf(';'))) as DocsEntry[];
  const known = prepareEntries(entries);
  const firstOf = (question: string) =>
    rankedEntries(known, question)
      .slice(0, 3)
      .map(([, , , href]) => href.split('/').at(-1)!.split('#').at(-1)!);

  it('answers 28 of 30 questions within the first three places', () => {
    const missed = questions.filter(([question, ...places]) => {
      const found = firstOf(question);
      return !places.some((place) => found.includes(place));
    });
    assert.ok(
      missed.length <= 2,
      missed.map(([question]) => `${question}: ${firstOf(question).join(', ')}`).join('\n'),
    );
  });

  it('knows only places that there are', () => {
    const ids = new Set(questions.flatMap(([, ...places]) => places));
    const there = new Set(entries.map(([, , , href]) => href.split('/').at(-1)!.split('#').at(-1)!));
    assert.deepEqual(
      [...ids].filter((id) => !there.has(id)),
      [],
    );
  });

  it('comes in at most 60 KB compressed', () => {
    const bytes = gzipSync(text).length;
    assert.ok(bytes <= 60_000, `${bytes} bytes`);
  });
});
