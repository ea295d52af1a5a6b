import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { isMongoUnavailable } from '../../../storage/servers/mongo.js';

type Cleared = new (pool: { address: string; serverError: Error }) => Error;
/** The driver makes errors of classes that it does not export: the names are all there is of them. */
const driver = createRequire(import.meta.url)('mongodb/lib/cmap/errors.js') as Record<string, Cleared>;

describe('isMongoUnavailable', () => {
  it('is so of what was under way when the driver gave a frozen server up', () => {
    const pool = { address: '127.0.0.1:27017', serverError: new Error('timed out') };
    for (const name of ['PoolClearedError', 'PoolClearedOnNetworkError'])
      assert.equal(isMongoUnavailable(new driver[name](pool)), true, name);
  });

  it('is not so of other errors', () => {
    assert.equal(isMongoUnavailable(new Error('MongoNetworkError')), false);
  });
});
