import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { openCcxt } from '../../../../storage/exchanges/open-ccxt.js';
import { findVenue, venues } from '../../../../storage/exchanges/venues/index.js';
import { projectRoot } from '../../../support/harness/paths.js';

describe('venues', () => {
  it('are the files of the folder, in alphabetical order', () => {
    const files = readdirSync(join(projectRoot, 'storage/exchanges/venues')).map((name) =>
      name.replace('.ts', ''),
    );
    assert.deepEqual(
      venues.map(({ id }) => id),
      files.filter((name) => name !== 'index').sort(),
    );
  });

  it('are found by their ccxt id', () => {
    for (const venue of venues) assert.equal(findVenue(venue.id), venue);
    for (const id of ['kraken', 'constructor']) assert.equal(findVenue(id), null);
  });

  for (const { id, needsPassphrase } of venues)
    it(`agree with ccxt about ${id}: it lists trades of an account, and its keys ${needsPassphrase ? 'have a' : 'have no'} passphrase`, async () => {
      const { exchange } = await openCcxt({
        id,
        url: '',
        timeoutMs: 1_000,
        signal: AbortSignal.abort(),
        afterAnswer: async () => undefined,
      });
      assert.equal(exchange.id, id);
      assert.equal(exchange.requiredCredentials.password, needsPassphrase);
      assert.equal(exchange.has.fetchMyTrades, true);
    });
});
