/** Counters, gauges and histograms, written in the text format that Prometheus reads (version 0.0.4). */

export type Labels = Record<string, string>;
export type MetricType = 'counter' | 'gauge' | 'histogram';
export type MetricTable = Record<string, { type: MetricType; help: string; bounds?: readonly number[] }>;

/** A number that is added to or set. Whoever is called often keeps it, so that counting costs an addition. */
export type Cell = { value: number };
export type Histogram = { observe(value: number): void };

type NamesOf<Table extends MetricTable, Type extends MetricType> = {
  [Name in keyof Table]: Table[Name]['type'] extends Type ? Name : never;
}[keyof Table] &
  string;

export type Registry<Table extends MetricTable> = {
  /** The cell of these labels; the same one whenever it is asked for. */
  cell(name: NamesOf<Table, 'counter' | 'gauge'>, labels?: Labels): Cell;
  histogram(name: NamesOf<Table, 'histogram'>, labels?: Labels): Histogram;
  /** Forgets what was set: a figure that is not known is left out, and not told as it once was. */
  clear(name: NamesOf<Table, 'gauge'>): void;
  write(): string;
};

type Kept = { cells: Map<string, Cell>; histograms: Map<string, Counts> };
type Counts = { bounds: readonly number[]; counts: number[]; sum: number; labels: Labels };

export const contentType = 'text/plain; version=0.0.4; charset=utf-8';

export function createRegistry<const Table extends MetricTable>(table: Table): Registry<Table> {
  const kept = new Map<string, Kept>();
  for (const name of Object.keys(table)) kept.set(name, { cells: new Map(), histograms: new Map() });
  const find = (name: string) => kept.get(name) as Kept;

  return {
    cell(name, labels = {}) {
      const { cells } = find(name);
      const key = writeLabels(labels);
      const cell = cells.get(key) ?? { value: 0 };
      cells.set(key, cell);
      return cell;
    },
    histogram(name, labels = {}) {
      const { histograms } = find(name);
      const key = writeLabels(labels);
      const known = histograms.get(key);
      const bounds = table[name]?.bounds ?? [];
      const made = known ?? { bounds, counts: new Array(bounds.length + 1).fill(0), sum: 0, labels };
      histograms.set(key, made);
      return { observe: value => observe(made, value) };
    },
    clear: name => find(name).cells.clear(),
    write() {
      const lines: string[] = [];
      for (const [name, { cells, histograms }] of kept) {
        if (cells.size + histograms.size === 0) continue;
        lines.push(
          `# HELP ${name} ${escapeHelp(table[name]?.help ?? '')}`,
          `# TYPE ${name} ${table[name]?.type}`,
        );
        for (const [labels, { value }] of cells) lines.push(`${name}${labels} ${writeNumber(value)}`);
        for (const counts of histograms.values()) lines.push(...writeHistogram(name, counts));
      }
      return lines.map(line => `${line}\n`).join('');
    },
  };
}

function observe(histogram: Counts, value: number): void {
  const { bounds, counts } = histogram;
  let at = 0;
  while (at < bounds.length && value > (bounds[at] as number)) at += 1;
  counts[at] = (counts[at] as number) + 1;
  histogram.sum += value;
}

/** Each bound counts all that is not above it. */
function writeHistogram(name: string, { bounds, counts, sum, labels }: Counts): string[] {
  let total = 0;
  const buckets = counts.map((count, at) => {
    total += count;
    const le = at < bounds.length ? writeNumber(bounds[at] as number) : '+Inf';
    return `${name}_bucket${writeLabels({ ...labels, le })} ${total}`;
  });
  const written = writeLabels(labels);
  return [...buckets, `${name}_sum${written} ${writeNumber(sum)}`, `${name}_count${written} ${total}`];
}

function writeLabels(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`);
  return pairs.length > 0 ? `{${pairs.join(',')}}` : '';
}

function escapeLabel(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}

function escapeHelp(help: string): string {
  return help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}

function writeNumber(value: number): string {
  if (Number.isFinite(value)) return String(value);
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
}
