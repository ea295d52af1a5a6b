import type { TickMarkType, Time } from 'lightweight-charts';
import { monthNames, numberText } from '../parts/formats.js';

const states = ['accumulate', 'wait', 'distribute'] as const;
const names = ['quiet', 'line', 'page', 'text', 'accent', 'rise', 'fall', ...states] as const;

export type ChartColours = Readonly<Record<(typeof names)[number], string>>;

/** The colours of the page as it is now, in hex, for what is drawn on a canvas. */
export function chartColours(): ChartColours {
  // A property by itself would be both colours, the light one and the dark one.
  const probe = document.body.appendChild(document.createElement('i'));
  const entries = names.map((name) => {
    probe.style.color = `var(--${name})`;
    const parts = getComputedStyle(probe).color.match(/\d+/g)!;
    return [name, `#${parts.map((part) => Number(part).toString(16).padStart(2, '0')).join('')}`];
  });
  probe.remove();
  return Object.fromEntries(entries) as ChartColours;
}

/** Numbers at a scale as they stand everywhere, with so many digits after the point. */
export const chartNumbers = (digits: number) => ({
  type: 'custom' as const,
  minMove: 10 ** -digits,
  formatter: (value: number) => numberText(value, digits),
});

/** A page that is scrolled must not stop at a chart. */
export const pageScrolls = {
  handleScroll: { vertTouchDrag: false, mouseWheel: false },
  handleScale: { mouseWheel: false },
};

/** How every chart looks. */
export const chartOptions = ({ quiet, line, page }: ChartColours) => ({
  autoSize: true,
  layout: {
    background: { color: page },
    textColor: quiet,
    fontFamily: 'system-ui, sans-serif',
    fontSize: 12,
    // The logo sets innerHTML, which the page's policy refuses; the credit stands beneath, the notice on "About".
    attributionLogo: false,
    panes: { separatorColor: line },
  },
  grid: { vertLines: { visible: false }, horzLines: { color: line } },
  rightPriceScale: { borderVisible: false },
  timeScale: {
    borderColor: line,
    timeVisible: true,
    lockVisibleTimeRangeOnResize: true,
    tickMarkFormatter: (time: Time, type: TickMarkType) => tickTexts(time as number)[type],
  },
  localization: { locale: 'en-GB' },
  ...pageScrolls,
});

/** What stands at the time axis, in UTC: a year, month, day, minute or second. The chart would make a formatter for each. */
function tickTexts(time: number): readonly string[] {
  const text = new Date(time * 1_000).toISOString();
  const [month, day] = [monthNames[Number(text.slice(5, 7)) - 1], String(Number(text.slice(8, 10)))];
  return [text.slice(0, 4), month, day, text.slice(11, 16), text.slice(11, 19)];
}
