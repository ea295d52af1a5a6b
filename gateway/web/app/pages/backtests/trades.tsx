import { useState } from 'preact/hooks';
import { Button } from '../../parts/controls.js';
import {
  changeColumn,
  DataTable,
  figureColumn,
  type TableColumn,
  timeColumn,
  wordColumn,
} from '../../parts/data-table.js';
import { plainWords, priceText } from '../../parts/formats.js';
import { Time } from '../../parts/marks.js';
import { Section } from '../../parts/page.js';

/** A trade of a report. */
export interface ShownTrade {
  asset?: string;
  side?: 'long' | 'short';
  entryTime: string;
  exitTime: string;
  entryPrice: number;
  exitPrice: number;
  return: number;
  exitReason: string;
}

const rowsAtFirst = 25;

const columns: readonly TableColumn<ShownTrade>[] = [
  wordColumn(
    'Entry',
    ({ entryTime, asset, side }) => (
      <>
        <Time at={entryTime} /> {asset} {side}
      </>
    ),
    'start',
    'entryTime',
  ),
  timeColumn('Exit', 'exitTime'),
  figureColumn('Price in', 'entryPrice', priceText),
  figureColumn('Price out', 'exitPrice', priceText),
  changeColumn('Return', 'return', 'end'),
  wordColumn('Why it ended', ({ exitReason }) => plainWords(exitReason), 'below', 'exitReason'),
];

/** The trades of a backtest; `csv` is where all of them are to be had as a file. */
export function Trades({ trades, csv }: { trades: readonly ShownTrade[]; csv?: string | undefined }) {
  const [isWhole, setWhole] = useState(false);
  return (
    <Section
      title="Trades"
      tools={
        csv !== undefined && (
          <a class="button plain small" href={csv} download>
            CSV
          </a>
        )
      }
    >
      <DataTable
        caption="Trades"
        columns={columns}
        rows={isWhole ? trades : trades.slice(0, rowsAtFirst)}
        keyOf={({ entryTime, asset = '' }) => entryTime + asset}
        empty="No trade: the strategy never bought in this period."
      />
      {trades.length > rowsAtFirst && !isWhole && (
        <p class="actions">
          <Button class="plain" onClick={() => setWhole(true)}>
            All {trades.length} trades
          </Button>
        </p>
      )}
    </Section>
  );
}
