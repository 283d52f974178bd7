/** Such as '12,345'. */
export function formatNumber(number: number): string {
  return number.toLocaleString('en-GB');
}
