import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { exchangeIds } from '../../../storage/exchanges/exchange-ids.js';

describe('exchangeIds', () => {
  it("is the list of ccxt's own index, without loading it", () => {
    const index = readFileSync(new URL(import.meta.resolve('ccxt')), 'utf8');
    const [, list] = /\nconst exchanges = \{([^}]*)\}/.exec(index)!;
    const named = [...list.matchAll(/'(\w+)':/g)].map(([, id]) => id);
    assert.ok(named.length > 90);
    assert.deepEqual(exchangeIds(), named.sort());
  });
});
