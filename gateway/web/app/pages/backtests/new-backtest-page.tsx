import { useState } from 'preact/hooks';
import { Choice } from '../../parts/controls.js';
import { PageHead } from '../../parts/page.js';
import type { PageProps } from '../../shell/route.js';
import { BuiltInForm } from './built-in-form.js';
import { OwnRules } from './own-rules.js';

const kinds = { builtIn: 'Built-in strategy', own: 'Own rules' } as const;

/** A new backtest: of a built-in strategy, or of rules that the user writes line by line. */
export function NewBacktestPage({ query }: PageProps) {
  const [kind, setKind] = useState<keyof typeof kinds>(query.get('rules') === null ? 'builtIn' : 'own');
  return (
    <>
      <PageHead
        title="New backtest"
        under="/app/backtests"
        tools={<Choice label="Kind" value={kind} options={kinds} onChange={setKind} />}
      />
      {/* It stays as it was filled in; rules are kept by themselves. */}
      <div hidden={kind === 'own'}>
        <BuiltInForm asset={query.get('asset') ?? 'BTC'} />
      </div>
      {kind === 'own' && <OwnRules />}
    </>
  );
}
