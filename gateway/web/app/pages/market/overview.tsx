import { useAnswer } from '../../client/use-answer.js';
import { StateMark } from '../../parts/marks.js';

const names = ['accumulate', 'wait', 'distribute'] as const;

/** The market in one line. It is left out until it is known, and when it can't be. */
export function Overview({ interval }: { interval: '1h' | '4h' | '1d' }) {
  const { data, isLoading } = useAnswer('POST /backend/analysis/market-overview', { interval }, ['candle']);
  return (
    <p class="overview" aria-busy={isLoading && data === null}>
      {data ? (
        <>
          <span>{data.assets} assets</span>
          {names.map((name) => (
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
