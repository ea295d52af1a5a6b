import { PageHead, Section } from '../../parts/page.js';
import { session } from '../../shell/session.js';

/** The page "About": what this is, and the notices of others' work in it. */
export function AboutPage() {
  return (
    <>
      <PageHead title="About" />
      <section class="panel text">
        <p>
          Tidemark says where the trend of an asset stands, what that rests on, and what followed from it
          before. It gives no advice; what you do with it is your decision.
        </p>
        <p>Version {session.value?.service.version ?? '–'}</p>
      </section>
      <Section title="Works of others" class="text">
        <p>
          TradingView Lightweight Charts™. Copyright (c) 2025 TradingView, Inc.{' '}
          <a href="https://www.tradingview.com/" rel="noreferrer">
            https://www.tradingview.com/
          </a>
          . Licensed under the Apache License, version 2.0.
        </p>
        <p>
          Preact and its signals: Copyright (c) 2015 to present Jason Miller, 2022 to present Preact Team. MIT
          License.
        </p>
      </Section>
    </>
  );
}
