/** Sum with the rounding error of every addition carried along (Neumaier), so that its own error stays at one rounding. */
export function compensatedSum(values: Iterable<number>): number {
  let sum = 0;
  let carried = 0;
  for (const value of values) {
    const next = sum + value;
    carried += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum;
    sum = next;
  }
  return sum + carried;
}
