import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { intentAnswer } from '../../../../gateway/assistant/analyst/intent-answer.js';
import { callArgs } from '../../../../gateway/assistant/analyst/call-args.js';
import { intentNamed, intents } from '../../../../gateway/assistant/analyst/intents.js';
import type { Slots } from '../../../../gateway/assistant/analyst/slots.js';
import type { Caller } from '../../../../gateway/context.js';
import { readArguments } from '../../../../gateway/mcp/tool-arguments.js';
import { toolNamed } from '../../../../gateway/mcp/tools.js';
import { openAccountAnswers, type AccountAnswers } from '../../../support/assistant/account-answers.js';
import { oddPayloads } from '../../../support/assistant/odd-payloads.js';
import { untracedDays, untracedFigures } from '../../../support/assistant/traced-figures.js';
import { projectRoot } from '../../../support/harness/paths.js';

type Asked = [intent: string, slots: Slots];

/** Intents with the slots of a question; the answers of their tools rest on the demo market and on a user's account. */
const asked = JSON.parse(
  readFileSync(`${projectRoot}/test/fixtures/assistant/asked-intents.json`, 'utf8'),
) as Asked[];

const longest = 1_400;

/** What every answer keeps to, whatever the tool has answered. */
function assertReads(text: string, ...sources: unknown[]): void {
  assert.doesNotMatch(text, /undefined|null|NaN|Infinity|\[object|function|[{}<>|]/, text);
  assert.doesNotMatch(text, / {2}|\s[.,;:)]|\.\.|;\.|,\.|\(\)|\n/, text);
  assert.doesNotMatch(text, /\b(should|recommend|you ought|buy now|sell now)\b/i, text);
  assert.ok(text.length <= longest, `${text.length} characters: ${text}`);
  assert.match(text, /^[^a-z].*[.]$/s, text);
  assert.deepEqual(untracedFigures(text, ...sources), [], text);
  assert.deepEqual(untracedDays(text, ...sources), [], text);
}

describe('the text of an answer', function () {
  this.timeout(120_000);
  let answers: AccountAnswers;
  let further: Asked[];
  before(async () => {
    answers = await openAccountAnswers();
    const { id: backtestId } = (await answers.call(
      'run_backtest',
      { asset: 'BTC', strategy: 'ema_cross', interval: '4h' },
      answers.rich,
    )) as { id: string };
    further = [
      ...['monte-carlo', 'backtest-summary', 'backtest-trades', 'backtest-equity'].map((name): Asked => [
        name,
        { backtestId },
      ]),
      ['signal-details', { id: answers.signalId }],
      ['order-timeline', { id: answers.orderId }],
    ];
  });
  after(() => answers.close());

  /** The answer of the tool of an intent, and the text that is made of such a payload. */
  async function ask([name, slots]: Asked, user: Caller['user']) {
    const intent = intentNamed(name)!;
    const args = callArgs(intent, slots);
    const tool = toolNamed(intent.tool!)!;
    const payload = await answers.call(intent.tool!, args, user);
    const about = { asOf: '2024-01-01T00:00:00.000Z', isStale: false, source: 'csv', content: {} };
    const given = readArguments(tool.listing, args);
    const textOf = (each: object) =>
      intentAnswer(
        intent,
        { ok: true, payload: each, headline: tool.headline(payload, given), ...about },
        slots,
      );
    return { payload, textOf, sources: [slots, args, about, tool.headline(payload, given)] };
  }

  it('has figures of the payload or the question alone, for every tool', async () => {
    for (const user of [answers.rich, answers.poor])
      for (const each of user === answers.rich ? [...asked, ...further] : asked) {
        const { payload, textOf, sources } = await ask(each, user);
        assertReads(textOf(payload), payload, ...sources);
      }
    const told = new Set([...asked, ...further].map(([name]) => name));
    const untold = intents.filter(({ tool, name }) => tool !== null && !told.has(name));
    assert.deepEqual(
      untold.map(({ name }) => name),
      ['exchange-rules', 'rate-limit'],
    );
  });

  it('reads well where fields of the payload are null or empty', async () => {
    const first = new Map([...further, ...asked].reverse().map(([name, slots]) => [name, slots]));
    for (const each of first) {
      const { payload, textOf, sources } = await ask(each, answers.rich);
      const odd = oddPayloads(payload, toolNamed(intentNamed(each[0])!.tool!)!.operation.output);
      assert.ok(odd.length > 0, each[0]);
      for (const one of odd) assertReads(textOf(one), one, payload, ...sources);
    }
  });
});
