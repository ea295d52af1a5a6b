import { useAnswer } from '../../client/use-answer.js';

const most = 6;

/** Chooses curves over the candles. */
export function Indicators({
  chosen,
  onChange,
}: {
  chosen: readonly string[];
  onChange: (names: readonly string[]) => void;
}) {
  const { data } = useAnswer('GET /backend/analysis/list-indicators', {});
  // Those of the price's own scale can lie over the candles.
  const known = (data?.indicators ?? []).filter(
    ({ kind, name }) => kind === 'trend' || /bollinger|keltner|donchian/.test(name),
  );
  return (
    <details class="menu">
      <summary>Indicators{chosen.length > 0 && ` (${chosen.length})`}</summary>
      <fieldset class="checks">
        <legend class="unseen">Indicators on the chart, {most} at most</legend>
        {known.map(({ name, title }) => (
          <label key={name}>
            <input
              type="checkbox"
              checked={chosen.includes(name)}
              disabled={!chosen.includes(name) && chosen.length >= most}
              onChange={({ currentTarget: { checked } }) =>
                onChange(checked ? [...chosen, name] : chosen.filter((each) => each !== name))
              }
            />
            {title}
          </label>
        ))}
      </fieldset>
    </details>
  );
}
