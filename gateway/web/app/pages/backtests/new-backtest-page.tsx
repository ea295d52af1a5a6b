import { useState } from 'preact/hooks';
import { Choice } from '../../parts/controls.js';
import { PageHead } from '../../parts/page.js';
import type { PageProps } from '../../shell/route.js';
import { BuiltInForm } from './built-in-form.js';
import { OwnRules } from './own-rules.js';

const kinds = { builtIn: 'Built-in strategy', own: 'Own rules' } as const;

type BacktestKind = keyof typeof kinds;

/** A new backtest: of a built-in strategy, or of rules that the user writes line by line. */
export function NewBacktestPage({ query }: PageProps) {
  const [kind, setKind] = useState<BacktestKind>(query.get('rules') === null ? 'builtIn' : 'own');
  const [opened, setOpened] = useState([kind]);
  const open = (next: BacktestKind) => {
    setKind(next);
    setOpened([...opened, next]);
  };
  return (
    <>
      <PageHead
        title="New backtest"
        under="/app/backtests"
        tools={<Choice label="Kind" value={kind} options={kinds} onChange={open} />}
      />
      {/* The other one stays as it was filled in. */}
      <div hidden={kind !== 'builtIn'}>
        {opened.includes('builtIn') && <BuiltInForm asset={query.get('asset') ?? 'BTC'} />}
      </div>
      <div hidden={kind !== 'own'}>{opened.includes('own') && <OwnRules />}</div>
    </>
  );
}
