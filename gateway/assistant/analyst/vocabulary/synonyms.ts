import { stem } from '../text/stem.js';

/** Words and short phrases that mean the same in questions about markets. The first of each line stands for all of them. */
const groups: readonly string[] = [
  'price, quote, worth, rate, cost, trading at, trade at, going for, last price, spot',
  'trend, direction, bias, outlook, tendency',
  'state, status, regime, phase',
  'flip, state change, change of state, turn, switch, transition, changeover, flipflop, flippening',
  'target, tp, take profit, takeprofit, take profits, profit target, goal, objective, tps',
  'stop, sl, stoploss, stop loss, invalidation, stopped out, stops',
  'entry, entries, enter, entering, get in, entry price',
  'level, zone, area, floor level',
  'support, floor, demand zone, demand',
  'resistance, ceiling, supply zone, overhead',
  'movingaverage, ma, moving average, moving averages, average line, mas',
  'drawdown, draw down, dd, dip from peak, peak to trough',
  'volatility, volatile, choppy, choppiness, vola, swingy, jumpy, wild',
  'calm, quiet, steady',
  'gain, gainer, winner, riser, pump, best performer, top performer, top performing, best performing, rally, surge, soar, rocket, outperformer, skyrocket, take off, took off, ripped, mooned, exploded',
  'loss, loser, faller, dump, worst performer, worst performing, crash, plunge, tank, underperformer, lose, lost, bleed, bled, nosedive, plummet, tumble, slaughtered, crushed, wrecked, smoked, nuked, in the red, destroyed, obliterated, hit hard',
  'mover, moving most, moved most, moved the most, moving the most, biggest move, biggest moves',
  'portfolio, holdings, holding, bag, bags, book, my coins, my assets',
  'position, open trade, open trades, open positions',
  'balance, fund, funds, cash, wallet, buying power',
  'pnl, profit and loss, profits and losses, p l, pl, p and l, profit or loss, gains and losses, make or lose, made or lost, upnl',
  'profit, earn, earned, earnings, made money, make money, making money, in the green, in profit, up or down',
  'dca, dollar cost average, dollar cost averaging, dollar cost averaged, stack, stacking',
  'coin, asset, token, crypto, cryptocurrency, cryptocurrencies, cryptos, alt, altcoin, ticker',
  'exchange, venue, broker, trading platform',
  'correlation, correlate, correlated, move together, moves together, in sync, in tandem, tandem, decoupled, decouple, move alike, uncorrelated, lockstep',
  'compare, comparison, versus, vs, side by side, against each other, stack up',
  'probability, chance, odds, likely, likelihood, probable, probably',
  'position size, sizing, how big, how large a position, lot size, trade size',
  'channel, provider, signal group, caller, guru',
  'signal, call, alert, trade idea, trade call',
  'risk, risky, dangerous, danger, safe, safety, riskiness',
  'season, seasonality, seasonal, seasonally',
  'pattern, candlestick, candlesticks, formation, candle pattern',
  'divergence, diverge, diverging, divergent',
  'anomaly, unusual, anomalous, weird, abnormal, strange, oddity, outlier, spike, out of the ordinary, freak',
  'best, top, biggest, highest, largest, greatest, strongest, leading, hottest',
  'worst, lowest, smallest, weakest, least',
  'why, how come, reason, cause, what made, caused, reasons, explain why, what drove, because',
  'history, past, historical, historically, previous, previously, earlier, log',
  'backtest, back test, backtesting, back testing, backtested, simulate, simulation, historical test, scenario, test',
  'strategy, system, preset, approach, method',
  'momentum, oscillator, momo',
  'volume, turnover, traded volume',
  'similar, resemble, look alike, looks like, analog, analogue, alike, comparable, analogous',
  'fresh, up to date, stale, delayed, outdated, freshness, refresh, out of date',
  'breadth, participation',
  'overview, snapshot, recap, roundup, big picture, summary, summarise, summarize, rundown',
  'market, whole market, overall market, crypto market, across the board, markets',
  'screen, screener, filter, scan',
  'big, large',
  'order, orders',
  'reject, refuse, turned down, knocked back',
  'exit, get out, get me out, got out, bail out, getting out, shut down, unwind, offload, unload, get rid of, ditch',
  'notify me, alert me, ping me, text me, message me, wake me, warn me, let me know, call me',
  'move my, raise my, bump my, tighten my, lower my, trail my, shift my, adjust my',
  'recipe, cook, bake, pancake, pizza, pasta, soup, bread, dinner, breakfast, risotto, curry, salad, ingredient, oven, chicken, boil',
  'weather, rain, raining, snow, snowing, sunny, umbrella',
  'football, soccer, basketball, tennis, world cup, champions league, super bowl, olympics, golf, playoffs, quarterback',
  'president, prime minister, election, politician, politics, government, parliament, vote, senator, chancellor',
  'poem, haiku, limerick, song, lyrics, essay, novel, sonnet',
  'movie, film, netflix, actor, actress, singer, concert, celebrity',
  'doctor, headache, medicine, flu, symptom, belly fat, pregnant, vitamin, workout, calories, diet, lose weight',
  'vacation, holiday, travel, flight, hotel, trip, restaurant, tourist',
  'mountain, river, ocean, planet, continent, population, everest',
  'girlfriend, boyfriend, wedding, marriage, birthday, gift',
  'homework, exam, math, equation, square root, geometry, algebra, grammar',
  'python, javascript, java, html, programming, regex, typescript',
  'funny, amusing, hilarious',
  'fee, commission, trading cost',
  'leverage, margin, leveraged',
  'liquidation, liquidated, liquidate, rekt, liq',
  'allocation, allocate, weighting',
  'subscription, subscribe, subscribed, follow, following, subscriptions',
  'connection, connect, connected, linked',
  'conversation, chat, discussion, conversations',
  'return, performance, perform, performed, performing, yield, roi',
  'rising, going up, climb, advancing, go up, goes up, went up, increase',
  'falling, going down, drop, declining, go down, goes down, went down, decrease, sink',
  'reach, hit, touch, get to, tag, gets to',
  'before, first, prior',
  'invest, put in, put into, investing, invested',
  'account, profile',
  'token access, access token, personal token',
  'mean, meaning, definition, define, stand for, stands for, defined',
  'explain, describe, elaborate, clarify',
  'recent, recently, lately, latest, newest, last',
  'candle, bar, candlestick bar, ohlc, ohlcv',
  'robust, overfit, overfitted, overfitting, curve fit, curve fitted, hold up, holds up, robustness',
  'luck, lucky, by chance, pure chance, fluke, random',
  'tail, value at risk, var, cvar, expected shortfall, worst case, worst day, tailrisk',
  'ladder, rebuy, scale in, scaling in, averaging down, average down, layered',
  'validate, valid, sanity check, dry run, well formed',
  'plan, set up, setup, trade plan',
  'conflict, conflicting, opposed, against the trend, wrong side',
  'disagree, contradict, clash, disagreement',
  'equity, account value, portfolio value, net worth, equity curve',
  'rule, tick size, min notional, minimum order, lot step, step size',
  'predict, prediction, forecast, foresee, guess, prophecy',
  'now, current, currently, at the moment, right now, atm, presently, today, at present, as of now',
  'doing, faring, looking, look',
  'need, require, take, necessary',
  'all, every, each',
  'available, offered, covered, offer',
  'beat, outperform, better than',
  'duration, how long, last for',
  'usually, typically, normally, on average, tend, generally, tends, often',
  'afterwards, after that, next, follow up, afterward',
  'buy, purchase, long entry',
];

/** Words that two lines claim; a test holds that there are none. */
export const collisions: string[] = [];

const canonical = new Map<string, string>();
/** The first stems of phrases, so that most words are known at once to begin none. */
const phraseStarts = new Map<string, number>();

for (const group of groups) {
  const [first, ...others] = group.split(', ');
  const name = first.split(' ').map(stem).join('_');
  for (const each of [first, ...others]) {
    const stems = each.split(' ').map(stem);
    const key = stems.join(' ');
    if ((canonical.get(key) ?? name) !== name) collisions.push(each);
    canonical.set(key, name);
    if (stems.length > 1) phraseStarts.set(stems[0], Math.max(phraseStarts.get(stems[0]) ?? 0, stems.length));
  }
}

/** The stems with those of equal meaning replaced by one name; the longest phrase counts. */
export function joinSynonyms(stems: readonly string[]): string[] {
  const joined: string[] = [];
  for (let at = 0; at < stems.length;) {
    const [name, length] = synonymAt(stems, at);
    joined.push(name);
    at += length;
  }
  return joined;
}

function synonymAt(stems: readonly string[], at: number): [name: string, length: number] {
  const longest = Math.min(phraseStarts.get(stems[at]) ?? 1, stems.length - at);
  for (let length = longest; length > 1; length--) {
    const name = canonical.get(stems.slice(at, at + length).join(' '));
    if (name !== undefined) return [name, length];
  }
  return [canonical.get(stems[at]) ?? stems[at], 1];
}

/** Every word of the groups. */
export const synonymWords: readonly string[] = groups.flatMap((group) => group.split(/[, ]+/));
