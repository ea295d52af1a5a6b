import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type Joi from 'joi';
import { intentAnswer } from '../../../../gateway/assistant/analyst/intent-answer.js';
import { callArgs } from '../../../../gateway/assistant/analyst/call-args.js';
import { intentNamed, intents } from '../../../../gateway/assistant/analyst/intents.js';
import type { Slots } from '../../../../gateway/assistant/analyst/slots.js';
import type { Caller } from '../../../../gateway/context.js';
import { readArguments } from '../../../../gateway/mcp/tool-arguments.js';
import { toolNamed } from '../../../../gateway/mcp/tools.js';
import { projectRoot } from '../../../support/harness/paths.js';
import { Decimal } from '../../../../compute/model/decimal.js';
import { Prices } from '../../../../storage/candles/prices.js';
import { encodeExecution } from '../../../../storage/signals/execution-json.js';
import { accountUser, type AccountUser } from '../../../support/gateway/account-user.js';
import { bookedTrade } from '../../../support/signals/booked-trade.js';
import { filledOrder, storedFill } from '../../../support/signals/ended-execution.js';
import { equitySnapshot } from '../../../support/signals/equity-snapshot.js';
import { makeExecution } from '../../../support/signals/make-execution.js';
import { makeStoredExecution, storedOrder } from '../../../support/signals/make-stored-execution.js';
import { partnerClient, type PartnerClient } from '../../../support/signals/partner-client.js';
import { openToolAnswers, type ToolAnswers } from '../../../support/assistant/tool-answers.js';
import { writeDate } from '../../../../gateway/assistant/analyst/format.js';

/** Days and times of day, intervals, and counts in names, which are no figures of an answer. */
const noFigures = [
  /\b\d{1,2} (January|February|March|April|May|June|July|August|September|October|November|December) \d{4}\b/g,
  /\b\d{2}:\d{2}(:\d{2})?( UTC)?/g,
  /\b(1h|4h|1d)\b/g,
  /"[^"]*"/g,
];

const scales: Readonly<Record<string, number>> = { million: 1e6, billion: 1e9, trillion: 1e12 };

/** The figures of a text, each with the value of half a unit of its last digit. */
function figuresIn(text: string): { value: number; tolerance: number; text: string }[] {
  const plain = noFigures.reduce((left, pattern) => left.replace(pattern, ' '), text);
  return [...plain.matchAll(/(\d[\d,]*(?:\.\d+)?)(?: (million|billion|trillion))?/g)].map(
    ([, found, magnitude]) => {
      const digits = found.replace(/,+$/, '').replaceAll(',', '');
      const decimals = digits.split('.')[1]?.length ?? 0;
      // Zeros at the end of a whole number may stand for rounding to significant digits.
      const zeros = decimals > 0 ? 0 : Math.max(0, /0*$/.exec(digits)![0].length);
      const scale = scales[magnitude] ?? 1;
      return {
        value: Number(digits) * scale,
        tolerance: 0.5000001 * 10 ** (decimals > 0 ? -decimals : zeros) * scale,
        text: found,
      };
    },
  );
}

/** Every number that a value holds: numbers, numbers in texts, and the lengths of lists. */
function numbersOf(value: unknown): number[] {
  if (typeof value === 'number') return [value];
  if (typeof value === 'string') return (value.match(/-?\d+(?:\.\d+)?(?:e-?\d+)?/g) ?? []).map(Number);
  if (Array.isArray(value)) return [value.length, ...value.flatMap(numbersOf)];
  if (value === null || typeof value !== 'object') return [];
  return Object.values(value).flatMap(numbersOf);
}

/** The figures of a text that are in none of the sources, rounded or not; shares may be told as percentages. */
function untracedFigures(text: string, ...sources: unknown[]): string[] {
  const known = sources.flatMap(numbersOf).map(Math.abs);
  const isKnown = ({ value, tolerance }: { value: number; tolerance: number }) =>
    known.some((each) => [each, each * 100].some((figure) => Math.abs(figure - value) <= tolerance));
  return figuresIn(text)
    .filter((figure) => !isKnown(figure))
    .map((figure) => figure.text);
}

/** The days of a text that are in none of the sources. */
function untracedDays(text: string, ...sources: unknown[]): string[] {
  const moments = JSON.stringify(sources).match(/\d{4}-\d{2}-\d{2}(T[\d:.]+Z)?|\b\d{10}(\d{3})?\b/g) ?? [];
  const days = new Set(
    moments.map((each) =>
      writeDate(each.includes('-') ? each : Number(each) * (each.length === 10 ? 1_000 : 1)),
    ),
  );
  const told = text.match(noFigures[0]) ?? [];
  return told.filter((day) => !days.has(day));
}

type Path = readonly (string | number)[];

/** The first item of a list stands for all of it. */
const mostItems = 1;

/**
 * Payloads that the schema allows beside a real one: each field that may be null is null, each list that may be empty is
 * empty, one at a time; and last, all of them that go together.
 */
function oddPayloads(payload: object, schema: Joi.Schema): object[] {
  const isAllowed = (value: unknown) => schema.validate(value, { convert: false }).error === undefined;
  const one: object[] = [];
  let all = structuredClone(payload);
  for (const path of pathsOf(payload)) {
    const empty = Array.isArray(valueAt(payload, path)) ? [] : null;
    const odd = withValue(payload, path, empty);
    if (!isAllowed(odd)) continue;
    one.push(odd);
    const further = withValue(all, path, empty);
    if (isAllowed(further)) all = further;
  }
  return [...one, all];
}

/** Every place of a value, the outer ones first. */
function pathsOf(value: unknown, path: Path = []): Path[] {
  if (value === null || typeof value !== 'object') return path.length === 0 ? [] : [path];
  const entries: [string | number, unknown][] = Array.isArray(value)
    ? (value as unknown[]).slice(0, mostItems).map((item, n): [number, unknown] => [n, item])
    : Object.entries(value);
  const inner = entries.flatMap(([key, each]) => pathsOf(each, [...path, key]));
  return path.length === 0 ? inner : [path, ...inner];
}

const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce((each: unknown, key) => (each as Record<string, unknown> | null | undefined)?.[key], value);

function withValue(payload: object, path: Path, value: unknown): object {
  const copy = structuredClone(payload);
  const parent = valueAt(copy, path.slice(0, -1));
  if (parent !== null && typeof parent === 'object')
    (parent as Record<string | number, unknown>)[path[path.length - 1]] = value;
  return copy;
}

const d = (text: string) => Decimal.parse(text);

/** A user with something in every part of the account, and one with nothing. */
interface AccountAnswers extends ToolAnswers {
  rich: Caller['user'];
  poor: Caller['user'];
  signalId: string;
  orderId: string;
}

async function openAccountAnswers(): Promise<AccountAnswers> {
  const answers = await openToolAnswers();
  const { service } = answers;
  const [rich, poor, partner] = [
    await accountUser(service),
    await accountUser(service),
    await partnerClient(service),
  ];
  const signedIn = ({ token }: AccountUser) => service.deps.signedIn.find(token);
  const names = await fillAccount(answers, rich, partner);
  return { ...answers, rich: await signedIn(rich), poor: await signedIn(poor), ...names };
}

async function fillAccount(
  { service }: ToolAnswers,
  user: AccountUser,
  partner: PartnerClient,
): Promise<{ signalId: string; orderId: string }> {
  const { storage, deps } = service;
  const { userId } = user;
  const signalId = await partner.create();
  const channelId = (await storage.channels.first(partner.id))!.id;
  const { payload } = await user.post('/backend/subscriptions', { channel: channelId });
  const subscriptionId = (payload as { id: string }).id;
  await user.give({ BTC: '0.5', SOL: '20', DOGE: '1000' });
  await new Prices(deps.redis).put(
    'csv',
    [
      ['BTC', 106_000],
      ['SOL', 120],
      ['DOGE', 0.2],
    ].map(([base, price]) => ({
      ...{ base: base as string, quote: 'USDT', price: price as number },
      ...{ change24hPercent: 1.25, time: Date.now() },
    })),
  );
  const ids = { id: `${signalId}:${subscriptionId}`, signalId, channelId, subscriptionId, userId };
  const plan = makeExecution();
  const position = {
    ...{ ...plan.position, quantity: d('1'), entered: d('2'), exited: d('1') },
    ...{ entryValue: d('202'), exitValue: d('109') },
  };
  const refused = {
    ...{ ...storedOrder, clientOrderId: 'refused-order', leg: 'stop', status: 'rejected' as const },
    reason: 'the balance is too small',
  };
  await storage.executions.addAll([
    makeStoredExecution({
      ...{ ...ids, partnerId: partner.id, status: 'open' },
      state: encodeExecution({ ...plan, status: 'open', position }),
      orders: [
        filledOrder('buy', [storedFill({ quantity: '2', price: '101' })]),
        filledOrder('sell', [storedFill({ price: '109', at: new Date(Date.UTC(2026, 0, 6)) })]),
        refused,
      ],
    }),
  ]);
  const now = Date.now();
  const closedAt = (ago: number) => new Date(now - ago * 86_400_000);
  const dayOf = (ago: number) => closedAt(ago).toISOString().slice(0, 10);
  const closed = (ago: number, profit: string, more: object = {}) =>
    bookedTrade({
      ...{ userId, channelId, profit, days: [{ day: dayOf(ago), profit }] },
      ...{ openedAt: closedAt(ago + 2), closedAt: closedAt(ago), ...more },
    });
  await storage.trades.book([
    closed(1, '12.5'),
    closed(2, '-4.25', { asset: 'ETH', returnPercent: -4.25, r: -0.5, side: 'short' }),
    closed(5, '30', { asset: 'SOL', returnPercent: 30, r: null }),
  ]);
  await storage.equity.add(
    Array.from({ length: 12 }, (_, n) =>
      equitySnapshot({
        ...{ userId, day: dayOf(12 - n), at: closedAt(12 - n), value: String(10_000 + ((n * 37) % 11) * 20) },
        benchmark: String(50_000 + n * 100),
      }),
    ),
  );
  return { signalId, orderId: 'refused-order' };
}

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
