const [width, height] = [84, 24];

/** The way of a price as a small line; the figures beside it say the same. */
export function SparkLine({ values }: { values: readonly (number | null)[] }) {
  const known = values.filter((value) => value !== null);
  if (known.length < 2) return null;
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const x = (n: number) => ((n / (known.length - 1)) * width).toFixed(1);
  const y = (value: number) => (height - 2 - ((value - low) / (high - low || 1)) * (height - 4)).toFixed(1);
  const points = known.map((value, n) => `${x(n)},${y(value)}`).join(' ');
  const kind = known.at(-1)! >= known[0] ? 'rise' : 'fall';
  return (
    <svg
      class={`spark ${kind}`}
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      aria-hidden="true"
    >
      <polyline points={points} />
    </svg>
  );
}
