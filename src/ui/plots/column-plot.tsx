export type PlotSeries = { name: string; values: number[]; tone: keyof typeof tones };

type ColumnPlotProps = {
  /** What stands below each column; an empty text where nothing does. */
  labels: string[];
  /** One on the other in each column, from the bottom. */
  series: PlotSeries[];
  height?: number;
  /** Shows also what each column lacks to the highest. */
  isOfWhole?: boolean;
};

const tones = { accent: 'text-accent', attention: 'text-attention', muted: 'text-muted' };
/** Series differ in their fill, so that they can be told apart without colours. */
const opacities = [1, 0.35, 0];
/** Each column has its number where there is room; else there are lines with numbers at the left. */
const maxNumbered = 12;

/** As wide as its place: lengths across are in percent, so that texts stay as large. A table beside it has the numbers. */
export function ColumnPlot({ labels, series, height = 150, isOfWhole = false }: ColumnPlotProps) {
  const totals = labels.map((_, index) => series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0));
  const highest = Math.max(...totals, 1);
  const isNumbered = labels.length <= maxNumbered;
  const tick = findTick(highest);
  const max = isNumbered ? highest : Math.ceil(highest / tick) * tick;
  const at = (columns: number) => `${round((columns * 100) / labels.length)}%`;
  return (
    <div className={isNumbered ? '' : 'pl-9'}>
      <svg
        aria-hidden="true"
        className="w-full overflow-visible text-xs"
        fill="currentColor"
        height={height + 44}
      >
        <g transform="translate(0 20)">
          {isNumbered ? null : <Grid height={height} max={max} tick={tick} />}
          {totals.map((total, index) => {
            const place = { x: at(index + 0.12), width: at(0.76) };
            const parts = stackParts(series, index, height, max);
            const top = parts.at(-1)?.y ?? height;
            return (
              <g key={at(index)} textAnchor={isNumbered ? 'middle' : chooseAnchor(index, labels.length)}>
                {isOfWhole ? <rect {...place} className="text-accent opacity-15" height={top} /> : null}
                {parts.map(({ name, ...part }) => (
                  <rect {...place} {...part} key={name} stroke="currentColor" />
                ))}
                {isNumbered ? <Text text={String(total)} x={at(index + 0.5)} y={top - 6} /> : null}
                <Text className="text-muted" text={labels[index]} x={at(index + 0.5)} y={height + 18} />
              </g>
            );
          })}
          <Line y={height} />
        </g>
      </svg>
    </div>
  );
}

export function PlotLegend({ series }: { series: PlotSeries[] }) {
  return (
    <ul aria-hidden="true" className="mt-1 flex flex-wrap gap-x-4 text-sm">
      {series.map(({ name, values, tone }, index) => (
        <li className="flex items-center gap-1.5" key={name}>
          <svg aria-hidden="true" className={`size-3 ${tones[tone]}`} fill="currentColor">
            <rect
              fillOpacity={opacities[index]}
              height="12"
              stroke="currentColor"
              strokeWidth="2"
              width="12"
            />
          </svg>
          {name}
          <span className="text-muted">
            {values.reduce((sum, value) => sum + value, 0).toLocaleString('en-GB')}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** A count that is not 0 is seen, however high the others are. */
function stackParts(series: PlotSeries[], index: number, height: number, max: number) {
  let y = height;
  return series.flatMap(({ name, values, tone }, place) => {
    const value = values[index] ?? 0;
    if (value === 0) return [];
    const part = round(Math.max((value * height) / max, 2));
    y = round(y - part);
    return [{ name, y, height: part, className: tones[tone], fillOpacity: opacities[place] }];
  });
}

function Grid({ height, max, tick }: { height: number; max: number; tick: number }) {
  return Array.from({ length: max / tick }, (_, index) => {
    const y = round((index * tick * height) / max);
    const value = max - index * tick;
    return (
      <g className="text-hairline" key={value}>
        <Line y={y} />
        <text className="text-muted" textAnchor="end" x="-8" y={y + 4}>
          {value.toLocaleString('en-GB')}
        </text>
      </g>
    );
  });
}

function Line({ y }: { y: number }) {
  return <line stroke="currentColor" x2="100%" y1={y} y2={y} />;
}

type TextProps = { text: string | undefined; x: string; y: number; className?: string };

function Text({ text, ...place }: TextProps) {
  return text ? <text {...place}>{text}</text> : null;
}

function chooseAnchor(index: number, count: number) {
  return index === 0 ? 'start' : index === count - 1 ? 'end' : 'middle';
}

/** 1, 2 or 5, with zeros: two to four lines. */
function findTick(highest: number): number {
  const power = 10 ** Math.floor(Math.log10(highest / 2));
  return Math.max(1, ([5, 2].find(factor => factor * power <= highest / 2) ?? 1) * power);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
