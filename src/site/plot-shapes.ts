/** Shapes of the plots, in the units of the given width and height. */
export type PlotSize = { width: number; height: number };

export function shapeSteps(values: number[], { width, height }: PlotSize) {
  const max = Math.max(...values, 1);
  const step = width / values.length;
  const columns = values.map((value, index) => ({
    value,
    left: index * step,
    centre: (index + 0.5) * step,
    top: round((1 - value / max) * height),
  }));
  const line = columns
    .map(({ top }, index) => `${index === 0 ? 'M0 ' : 'V'}${top}H${round((index + 1) * step)}`)
    .join('');
  return { columns, line, area: `${line}V${height}H0z` };
}

/** Nested rings, and a path that enters one more with each step after the first. */
export function shapeAttackPath(count: number, { width, height }: PlotSize) {
  const gap = (width * 0.76) / (count - 1);
  const nodes = Array.from({ length: count }, (_, index) => ({
    x: round(nodeRadius + 2 + index * gap),
    y: round(height * (index % 2 === 0 ? 0.4 : 0.6)),
  }));
  const rings = nodes.slice(1).map(({ x }, index) => {
    const inset = 4 + index * height * 0.11;
    return {
      x,
      y: round(inset),
      width: round(width - inset - x),
      height: round(height - 2 * inset),
      radius: round(height * (0.16 - 0.03 * index)),
    };
  });
  const line = nodes.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x} ${y}`).join('');
  return { nodes, rings, line };
}

export const nodeRadius = 13;

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
