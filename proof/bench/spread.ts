export function median(values: number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length / 2;
  const [low = NaN, high = low] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return (low + high) / 2;
}

/** Of two medians, with the interval in which 95 of 100 draws from the same values fall. */
export function differenceOf(
  one: number[],
  other: number[],
): { difference: number; low: number; high: number } {
  const draw = (values: number[]) =>
    median(Array.from(values, () => values[Math.floor(Math.random() * values.length)] as number));
  const draws = Array.from({ length: 1000 }, () => draw(one) - draw(other)).toSorted((a, b) => a - b);
  return { difference: median(one) - median(other), low: draws[25] as number, high: draws[974] as number };
}
