/** What can be found: title, method and path, summary, place, fields, and text. */
export type DocsEntry = readonly [
  title: string,
  path: string,
  summary: string,
  href: string,
  fields: string,
  text: string,
];

/** What a word in each part counts for; the place counts nothing. */
const weights = [10, 8, 5, 0, 3, 2];
const synonymShare = 0.8;

/** Words that every question has, such as "how" and "the". */
const emptyWords = new Set(
  'a an and any are as at be by can do does for from get has have how i if in is it me my of on or over the there this to up was what when where which who why will with you your'.split(
    ' ',
  ),
);

/** What people say, and what it is called here. */
const synonyms: readonly (readonly [said: string, called: string])[] = [
  ['copy trading', 'subscriptions channel follow'],
  ['follow', 'subscription subscribe'],
  ['candle', 'chart'],
  ['ohlc', 'chart candles'],
  ['kline', 'chart candles'],
  ['login', 'sign in session'],
  ['sign in', 'login session'],
  ['log out', 'logout'],
  ['register', 'signup account'],
  ['sign up', 'signup'],
  ['rate limit', 'limits points'],
  ['too many requests', 'limits points'],
  ['429', 'limits'],
  ['api key', 'exchange connect key'],
  ['hmac', 'signing signature'],
  ['claude', 'connect mcp client'],
  ['chatgpt', 'connect mcp client'],
  ['chatbot', 'assistant'],
  ['bearer', 'token'],
  ['profit', 'pnl profits'],
  ['earned', 'pnl profits'],
  ['balance', 'balances holdings'],
  ['worth', 'equity portfolio'],
  ['history', 'trades'],
  ['optimise', 'sweep'],
  ['optimize', 'sweep'],
  ['grid search', 'sweep'],
  ['overfitting', 'walk forward'],
  ['out of sample', 'walk forward'],
  ['luck', 'monte carlo'],
  ['emergency', 'pause close all'],
  ['stop trading', 'pause trading'],
  ['panic', 'close all'],
  ['sell everything', 'close all'],
  ['forgot', 'password forgot reset'],
  ['2fa', 'session password'],
  ['paper', 'paper exchange'],
  ['fees', 'exchange rules supported'],
  ['tick size', 'exchange rules'],
  ['position size', 'size risk'],
  ['win rate', 'backtest'],
  ['strategy tester', 'backtest'],
  ['screener', 'screen'],
  ['health', 'status data'],
  ['download', 'csv'],
  ['export', 'csv'],
];

const tokensOf = (text: string): string[] => text.toLowerCase().match(/[a-z0-9]+/g) ?? [];

/** Without the endings of English in which words of a question and of a text differ. */
const stemOf = (word: string): string =>
  word.length > 4
    ? word.replace(/(?:ies|y)$/, 'i').replace(/(?:ing|ed|es|s|e)$/, '')
    : word.replace(/s$/, '');

interface Prepared {
  entry: DocsEntry;
  /** The stems of each part; names in camel case are divided. */
  parts: readonly ReadonlySet<string>[];
}

const stemsOf = (text: string): Set<string> => {
  const whole = text.match(/[A-Za-z0-9]+/g) ?? [];
  const divided = tokensOf(text.replace(/([a-z])([A-Z])/g, '$1 $2'));
  return new Set([...whole.map((each) => each.toLowerCase()), ...divided].map(stemOf));
};

export const prepareEntries = (entries: readonly DocsEntry[]): Prepared[] =>
  entries.map((entry) => ({
    entry,
    parts: entry.map((text, n) => (n === 3 ? new Set<string>() : stemsOf(text))),
  }));

/** The entries that a question is about, the likeliest first. */
export function rankedEntries(prepared: readonly Prepared[], question: string): DocsEntry[] {
  const asked = tokensOf(question);
  const said = ` ${asked.join(' ')} `;
  const own = asked.filter((word) => !emptyWords.has(word)).map(stemOf);
  const more = synonyms
    .filter(([phrase]) => said.includes(` ${phrase}`))
    .flatMap(([, called]) => tokensOf(called).map(stemOf))
    .filter((word) => !own.includes(word));
  const words = [
    ...new Map([
      ...own.map((word) => [word, 1] as const),
      ...more.map((word) => [word, synonymShare] as const),
    ]),
  ];
  const matches = words.map(([word, share]) => {
    const found = prepared.map(({ parts }) =>
      Math.max(...parts.map((part, n) => weights[n] * matchOf(part, word))),
    );
    const count = found.filter((weight) => weight > 0).length;
    // A word that few entries have says more than one that most have.
    return found.map((weight) => weight * share * Math.log(1 + prepared.length / (1 + count)));
  });
  return prepared
    .map(({ entry }, n) => ({ entry, score: matches.reduce((sum, found) => sum + found[n], 0) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ entry }) => entry);
}

/** 1 for the word, less for one that begins with it. */
function matchOf(stems: ReadonlySet<string>, word: string): number {
  if (stems.has(word)) return 1;
  if (word.length < 3) return 0;
  for (const stem of stems) if (stem.startsWith(word)) return 0.6;
  return 0;
}
