import assert from 'node:assert/strict';
import { analyse } from '../../../gateway/assistant/analyst/analyst.js';
import type { Asker } from '../../../gateway/assistant/assistant.js';
import { KnownFigures } from '../../../gateway/assistant/figures/known-figures.js';
import { unsupportedFigures } from '../../../gateway/assistant/agent/answer-by-model.js';
import { ConnectorToolbox } from '../../../gateway/assistant/toolbox/connector-toolbox.js';
import { sessionIdOf } from '../../../storage/users/sessions.js';
import { tokenScopes } from '../../../storage/users/token-scopes.js';
import { readQuestions, type Question } from '../../support/assistant/questions.js';
import { openTestMarket } from '../../support/candles/market.js';
import { randomCandles } from '../../support/candles/random-candles.js';
import { accountUser } from '../../support/gateway/account-user.js';
import type { TestService } from '../../support/gateway/gateway.js';

/** Answers whose figures are traced. */
const wanted = 200;

/** Every n-th question, so that all kinds are among them. */
function spread(questions: readonly Question[], turns: number): Question[] {
  const step = Math.max(1, Math.floor(questions.reduce((sum, each) => sum + each.turns.length, 0) / turns));
  const first = questions.filter((_, n) => n % step === 0);
  return [...first, ...questions.filter((_, n) => n % step !== 0)];
}

describe('the figures of 200 answers', function () {
  this.timeout(120_000);
  let service: TestService;
  let asker: Asker;

  before(async () => {
    ({ service } = await openTestMarket());
    const { storage } = service;
    const others = ['SOL', 'ADA', 'XRP', 'DOGE', 'LINK', 'AVAX'];
    for (const [n, base] of others.entries())
      await storage.candles.add(
        { market: 'csv', base, quote: 'USDT' },
        randomCandles(24 * 400, { seed: 40 + n }),
      );
    const user = await accountUser(service);
    await user.give({ BTC: '0.5', ETH: '2' });
    const signedIn = (await service.deps.signedIn.ofSession(sessionIdOf(user.token)!))!;
    const signal = new AbortController().signal;
    const more = {
      charge: async () => undefined,
      signal,
      requestId: 'test',
      address: '127.0.0.1',
      client: 'test',
    };
    asker = { ...more, user: signedIn, scopes: new Set(tokenScopes) };
  });
  after(() => service.close());

  it('are all in a tool result or in the question', async () => {
    const faults: string[] = [];
    const symbols = ['BTC', 'ETH', 'NEW', 'SOL', 'ADA', 'XRP', 'DOGE', 'LINK', 'AVAX'];
    let answers = 0;
    for (const { id, turns } of spread(readQuestions('questions.json'), wanted)) {
      if (answers >= wanted) break;
      let state = {};
      const said: string[] = [];
      for (const { ask } of turns) {
        const toolbox = new ConnectorToolbox(service.deps, asker, asker.signal);
        const answer = await analyse(ask, state, toolbox, { symbols, nowMs: Date.now() });
        said.push(ask);
        state = answer.state;
        const outcomes = answer.calls.map(({ outcome }) => outcome);
        if (!outcomes.some(({ ok }) => ok)) continue;
        answers++;
        const data = answer.calls.flatMap(({ args, outcome }) => [args, outcome]);
        const missing = unsupportedFigures(answer.text, new KnownFigures(said.join('\n'), data));
        if (missing.length > 0) faults.push(`${id}: ${missing.join(', ')} in "${answer.text}"`);
      }
    }
    assert.deepEqual(faults, []);
    assert.equal(answers >= wanted, true, `${answers} answers`);
  });
});
