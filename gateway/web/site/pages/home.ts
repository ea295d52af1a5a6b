import { marketTable } from '../../../operations/analysis/market-table.js';
import { html } from '../../html.js';
import { definePage } from '../page.js';

const mostAssets = 5;

/** Shape and word of each state. */
const stateTexts = { accumulate: '▲ Accumulate', wait: '● Wait', distribute: '▼ Distribute' } as const;

/** Two decimals from a thousand on, six digits below: as the application writes prices. */
const [large, small] = [
  { minimumFractionDigits: 2, maximumFractionDigits: 2 },
  { maximumSignificantDigits: 6 },
];
const priceText = (price: number): string => price.toLocaleString('en-US', price >= 1_000 ? large : small);

/** What visitors see first: what this is, and where the largest assets stand. */
export const homePage = definePage({
  path: '/',
  forms: [],
  async render(request) {
    // A service without candles has a first page, too.
    const { assets, source } = await request.run(marketTable).catch(() => ({ assets: [], source: '' }));
    const rows = assets.slice(0, mostAssets).map(
      ({ asset, name, state, price }) =>
        html`<tr>
          <th scope="row">
            <a href="/app/asset/${asset}">${asset}</a> <span class="quiet">${name ?? ''}</span>
          </th>
          <td class="state ${state ?? ''}">${state === null ? '–' : stateTexts[state]}</td>
          <td class="number">${price === null ? '–' : priceText(price)}</td>
        </tr>`,
    );
    return {
      title: 'See where the trend stands',
      body: html`<h1>See where the trend stands</h1>
        <p class="lead">
          Tidemark says for each asset whether to accumulate, wait or distribute, and shows what that rests
          on. It tries strategies on years of candles, against buying and holding, and says how much was luck.
          It follows signals of partners within your limits, on paper until you decide otherwise.
        </p>
        <p class="actions">
          <a class="button" href="/app">See the market</a>
          ${request.signUp ? html`<a class="button plain" href="/sign-up?next=/app">Make an account</a>` : ''}
          <a class="button plain" href="/sign-in">Sign in</a>
        </p>
        ${
          rows.length === 0
            ? ''
            : html`<table>
                <caption>
                  The largest assets now${source === 'demo' ? ', on the demo market' : ''}
                </caption>
                <thead>
                  <tr>
                    <th scope="col">Asset</th>
                    <th scope="col">State</th>
                    <th scope="col" class="number">Price</th>
                  </tr>
                </thead>
                <tbody>
                  ${rows}
                </tbody>
              </table>`
        }
        <form class="ask" action="/app/assistant" method="get" role="search">
          <div class="field">
            <label for="question">Ask about the market</label>
            <input id="question" name="q" required maxlength="1000" placeholder="Where does BTC stand?" />
          </div>
          <button type="submit">Ask</button>
        </form>`,
    };
  },
});
