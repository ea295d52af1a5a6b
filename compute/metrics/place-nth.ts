/**
 * Reorders the values in place so that value `n` (from 0) is the one of the ascending order: no value before it is
 * greater, and none after it is less. The rest is not sorted. None of the values is NaN.
 * Source: C. A. R. Hoare, Algorithm 65: Find, Communications of the ACM 4, 1961.
 */
export function placeNth(values: Float64Array, n: number): number {
  let low = 0;
  let high = values.length - 1;
  while (low < high) {
    const pivot = values[(low + high) >> 1];
    let i = low;
    let j = high;
    while (i <= j) {
      while (values[i] < pivot) i++;
      while (values[j] > pivot) j--;
      if (i > j) break;
      const value = values[i];
      values[i++] = values[j];
      values[j--] = value;
    }
    if (n <= j) high = j;
    else if (n >= i) low = i;
    else break;
  }
  return values[n];
}
