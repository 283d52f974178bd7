/** Such as '3.4 MB'. */
export function formatSize(bytes: number): string {
  const [unit, name] = units.find(([size]) => bytes >= size) ?? [1000, 'KB'];
  const value = bytes / unit;
  return `${value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString('en-GB')} ${name}`;
}

const units: [number, string][] = [
  [1e12, 'TB'],
  [1e9, 'GB'],
  [1e6, 'MB'],
];
