/** The values of a chart, one for each minute; null leaves a gap. */
export interface ChartSeries {
  name: string;
  shape: 'bars' | 'line';
  className: string;
  values: readonly (number | null)[];
}

const width = 300;
const height = 64;
const namespace = 'http://www.w3.org/2000/svg';

/** A chart without axes: its top is `most`, and its text says what it shows. */
export function historyChart(series: readonly ChartSeries[], most: number, text: string): SVGElement {
  const svg = shape('svg', {
    viewBox: `0 0 ${width} ${height}`,
    preserveAspectRatio: 'none',
    role: 'img',
    'aria-label': text,
  });
  svg.append(shape('path', { class: 'ground', d: `M0 ${height - 0.5}H${width}` }));
  for (const each of series) svg.append(shape('path', { class: each.className, d: pathOf(each, most) }));
  return svg;
}

function pathOf({ shape: kind, values }: ChartSeries, most: number): string {
  const step = width / values.length;
  const y = (value: number) => (most === 0 ? height : height - (value / most) * (height - 4)).toFixed(1);
  const x = (n: number) => (n * step).toFixed(1);
  if (kind === 'bars')
    return values
      .map((value, n) => (value ? `M${x(n + 0.1)} ${height}V${y(value)}H${x(n + 0.9)}V${height}Z` : ''))
      .join('');
  let isOpen = false;
  return values
    .map((value, n) => {
      // A point alone is a short line.
      const command =
        value === null ? '' : `${isOpen ? 'L' : 'M'}${x(n + 0.3)} ${y(value)}L${x(n + 0.7)} ${y(value)}`;
      isOpen = value !== null;
      return command;
    })
    .join('');
}

function shape(name: string, attributes: Record<string, string>): SVGElement {
  const made = document.createElementNS(namespace, name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  return made;
}
