import type { Answered } from '../../answered.js';
import { writePercent } from '../../format.js';
import { defineIntent } from '../../intent.js';
import { quoteArgs } from '../../market-args.js';
import { counted, joined, sentence, signed } from '../../market-words.js';

type Seasons = Answered<'seasonality'>;

type Season = Seasons['by'];

type Bucket = Seasons['buckets'][number];

/** The words for one bucket of a season: "hour", "weekday". */
const nouns: Record<Season, string> = {
  hour: 'hour',
  weekday: 'weekday',
  month: 'month',
  session: 'session',
};

/** What one observation is called. */
const observations: Record<Season, string> = {
  hour: 'hour',
  weekday: 'day',
  month: 'month',
  session: 'session',
};

export const seasonalityIntent = defineIntent<Seasons>({
  name: 'seasonality',
  title: 'how an asset does by weekday, hour, month or trading session',
  tool: 'get_seasonality',
  phrases: [
    'seasonality of {asset}',
    'best day of the week for {asset}',
    'which weekday is {asset} strongest',
    'does {asset} fall on mondays',
    'is {asset} weaker on weekends',
    '{asset} returns by {by}',
    'at what time of day does {asset} move most',
    'which hour is {asset} strongest',
    'best month for {asset}',
    'which month is usually bad for {asset}',
    'is september bad for {asset}',
    'uptober for {asset}',
    'how does {asset} do in the asian session',
    'best trading session for {asset}',
    'does {asset} move more in europe or asia',
    'average return of {asset} in each {by}',
    'seasonal patterns of {asset}',
    'when does {asset} usually rise',
    'at what hour is {asset} most volatile',
    'does sunday differ from other days for {asset}',
    'are mondays good for {asset}',
    'in which {by} does {asset} do best',
    'what time of the day is best for {asset}',
    'is tuesday a bad day for {asset}',
    'does {asset} have good and bad months',
    'does {asset} tend to rise in the morning',
    'when in the week is {asset} weakest',
    'is there a weekend effect on {asset}',
    'how are fridays for {asset}',
    'which days are good for {asset}',
    'quietest hour of {asset}',
    'does the us session move {asset}',
    'how does {asset} usually do in {by}',
    'what month treats {asset} worst',
    'calendar effects of {asset}',
    'monthly averages of {asset}',
    'does the time of day matter for {asset}',
    'is {by} usually good for {asset}',
    'does {asset} do well in {by}',
    'which months are good for {asset}',
    'is {asset} usually weak in {by}',
    'how does {asset} do in september',
    'hourly seasonality of {asset}',
    'seasonality {asset} by {by}',
    'which months are kind to {asset}',
    'is october a good month for {asset}',
    'monthly seasonality of {asset}',
    '{asset} average return by session',
    'average returns of {asset} per weekday',
    'what time of day does {asset} usually rise',
    'best trading hours of {asset}',
    'when during the day does {asset} move the most',
  ],
  needs: { asset: 'Which asset do you mean?' },
  takes: ['by', 'tradeMarket'],
  args: ({ asset, by, tradeMarket }) => ({
    asset,
    ...(by === undefined ? {} : { by }),
    ...quoteArgs({ tradeMarket }),
  }),
  answer: (payload) => answerSeasons(payload),
});

function answerSeasons({ asset, by, count, meanPercent, buckets }: Seasons) {
  const known = buckets
    .filter((each) => each.meanPercent !== null)
    .sort((left, right) => right.meanPercent! - left.meanPercent!);
  const [best, worst] = [known[0], known[known.length - 1]];
  const significant = known.filter(({ isSignificant }) => isSignificant);
  const overall = `The mean of all ${counted(count, observations[by])} is ${writePercent(meanPercent)}.`;
  if (!best || best === worst)
    return {
      lead: `There is not enough history of ${asset} to compare its ${nouns[by]}s.`,
      figures: [overall],
    };
  return {
    lead:
      significant.length === 0
        ? `No ${nouns[by]} stands out for ${asset}.`
        : `${sentence(joined(significant.map((each) => named(each, by))))} ${significant.length === 1 ? 'stands' : 'stand'} out for ${asset}.`,
    figures: [
      `The highest mean return belongs to ${bucketWords(best, by)}, the lowest to ${bucketWords(worst, by)}.`,
      overall,
    ],
    caveat: caveatWords(significant.length, known, by),
  };
}

function caveatWords(significant: number, known: readonly Bucket[], by: Season): string {
  if (known.some(({ count }) => count < 5))
    return `Each ${nouns[by]} occurs too seldom in the history for a conclusion.`;
  return significant === 0
    ? `Corrected for the number of ${nouns[by]}s, the differences are no larger than chance makes them.`
    : 'It is significant after correction for the number of tests; that it goes on is not certain.';
}

/** A bucket by its name: "Monday", "the hour from 14 UTC", "the US session". */
function named({ bucket }: Bucket, by: Season): string {
  if (by === 'hour') return `the hour from ${bucket} UTC`;
  return by === 'session' ? `the ${bucket === 'Europe' ? 'European' : bucket} session` : bucket;
}

function bucketWords(bucket: Bucket, by: Season): string {
  const { meanPercent, lowPercent, highPercent, upPercent, count } = bucket;
  const cases = counted(count, observations[by]);
  if (lowPercent === null || highPercent === null)
    return `${named(bucket, by)} (${signed(meanPercent!)} over ${cases})`;
  const share = upPercent === null ? `over ${cases}` : `${writePercent(upPercent)} of ${cases} up`;
  return `${named(bucket, by)} (${signed(meanPercent!)} with an interval from ${signed(lowPercent)} to ${signed(highPercent)}, ${share})`;
}
