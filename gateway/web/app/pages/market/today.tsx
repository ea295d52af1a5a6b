import type { RoutePayload } from '../../client/routes.js';
import { useAnswer } from '../../client/use-answer.js';
import { DayChange, type ShownState, StateMark, stateShapes } from '../../parts/marks.js';
import { AnswerFault } from '../../parts/page.js';
import { counted, numberText } from '../../parts/formats.js';
import type { ChartInterval } from '../../parts/preferences.js';

const dayMs = 86_400_000;
const mostFlips = 3;

/** What a user has to know today: worth, open signals, fresh flips. */
export function Today({ market }: { market: RoutePayload<'GET /backend/market'> | null }) {
  const worth = useAnswer('GET /backend/balances', {}, ['position']);
  const { data: balances, isLoading } = worth;
  const { data: equity } = useAnswer('GET /backend/equity', { period: '7d' }, ['position']);
  const { data: open } = useAnswer('GET /backend/signals', { status: 'open', limit: 100 }, ['signal']);
  const flips = (market?.assets ?? []).filter(
    ({ since }) => since !== null && Date.parse(market!.asOf) - Date.parse(since) < dayMs,
  );
  return (
    <section class="panel today" aria-label="Today" aria-busy={isLoading && balances === null}>
      <strong>Today</strong>
      {balances && (
        <a href="/app/portfolio">
          <span class="figure">{numberText(balances.totalValue)} USDT</span>
          <DayChange equity={equity} />
        </a>
      )}
      {open && (
        <a href="/app/signals">
          {counted(open.signals.length, 'signal')}
          {open.nextCursor !== null && ' and more'} open
        </a>
      )}
      {flips.slice(0, mostFlips).map(({ asset, state }) => (
        <a key={asset} href={`/app/asset/${asset}`}>
          {asset} flipped to <StateMark state={state} />
        </a>
      ))}
      <AnswerFault answer={worth} />
    </section>
  );
}

/** The market in one line, which is empty until it is known. */
export function Overview({ interval }: { interval: ChartInterval }) {
  const answer = useAnswer('POST /backend/analysis/market-overview', { interval }, ['candle']);
  const { data, isLoading } = answer;
  if (answer.error && !data) return <AnswerFault answer={answer} />;
  return (
    <p class="overview" aria-busy={isLoading && data === null}>
      {data ? (
        <>
          <span>{data.assets} assets</span>
          {(Object.keys(stateShapes) as ShownState[]).map((name) => (
            <StateMark key={name} state={name} text={`${data.states[name]} ${name}`} />
          ))}
          <span>
            {data.advancers} rise, {data.decliners} fall
          </span>
          {data.btc?.picture && <span>BTC trend {data.btc.picture.trend}</span>}
        </>
      ) : (
        '\u00a0'
      )}
    </p>
  );
}
