import type { RoutePayload } from '../../client/routes.js';
import { useAnswer } from '../../client/use-answer.js';
import { Change, StateMark } from '../../parts/marks.js';
import { numberText } from '../../parts/formats.js';

const dayMs = 86_400_000;
const mostFlips = 3;

/** What a user has to know today: worth, open signals, fresh flips. */
export function Today({ market }: { market: RoutePayload<'GET /backend/market'> | null }) {
  const { data: balances, isLoading } = useAnswer('GET /backend/balances', {}, ['position']);
  const { data: equity } = useAnswer('GET /backend/equity', { period: '7d' });
  const { data: open } = useAnswer('GET /backend/signals', { status: 'open', limit: 100 }, ['signal']);
  const [before, now] = equity?.days.slice(-2) ?? [];
  const flips = (market?.assets ?? []).filter(
    ({ since }) => since !== null && Date.parse(market!.asOf) - Date.parse(since) < dayMs,
  );
  return (
    <section class="panel today" aria-label="Today" aria-busy={isLoading && balances === null}>
      <strong>Today</strong>
      {balances && (
        <a href="/app/portfolio">
          <span class="figure">{numberText(balances.totalValue)} USDT</span>{' '}
          {before && now && <Change value={(now.index / before.index - 1) * 100} />}
        </a>
      )}
      {open && (
        <a href="/app/signals">
          {open.signals.length} {open.signals.length === 1 ? 'signal' : 'signals'} open
        </a>
      )}
      {flips.slice(0, mostFlips).map(({ asset, state }) => (
        <a key={asset} href={`/app/asset/${asset}`}>
          {asset} flipped to <StateMark state={state} />
        </a>
      ))}
    </section>
  );
}
