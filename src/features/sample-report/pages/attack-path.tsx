import { sample } from 'content:sample';
import { Closed } from './sample-finding.tsx';

const { pathLead, steps, broken, brokenStep } = sample.summary;
const size = { width: 520, height: 200 };
const nodeRadius = 13;
const { nodes, rings, line } = shapeAttackPath(steps.length);

/** A drawing, and the same steps as a list. */
export function AttackPath() {
  return (
    <>
      <p className="mb-8 max-w-reading text-lg">{pathLead}</p>
      <svg
        aria-hidden="true"
        className="w-full max-w-[38rem] font-semibold"
        fill="none"
        viewBox={`0 0 ${size.width} ${size.height}`}
      >
        {rings.map(({ radius, ...ring }) => (
          <rect className="text-edge" key={ring.x} rx={radius} stroke="currentColor" {...ring} />
        ))}
        <g className="text-attention" stroke="currentColor" strokeWidth="2">
          <path d={line} strokeDasharray="6 6" />
          {nodes.map(({ x, y }) => (
            <circle className="fill-high" cx={x} cy={y} key={x} r={nodeRadius} />
          ))}
        </g>
        {nodes.map(({ x, y }, index) => (
          <text fill="currentColor" key={x} textAnchor="middle" x={x} y={y + 5}>
            {index + 1}
          </text>
        ))}
        <Barrier />
      </svg>
      <ol className="mt-8 grid gap-x-6 gap-y-4 sm:grid-cols-4">
        {steps.map(({ name, text, time }, index) => (
          <li className="border-t border-hairline pt-3" key={name}>
            <span className="block font-mono text-xs text-attention">
              {index + 1} · {time}
            </span>
            <strong className="block">{name}</strong>
            <span className="text-sm text-muted">{text}</span>
          </li>
        ))}
      </ol>
      <div className="mt-8">
        <Closed>{broken}</Closed>
      </div>
    </>
  );
}

/** Across the path, before the step that was closed. */
function Barrier() {
  const node = nodes[brokenStep - 1];
  if (!node) return null;
  const [x, y] = [node.x - 34, node.y - 8];
  return <path className="text-accent" d={`M${x} ${y - 24}v48`} stroke="currentColor" strokeWidth="6" />;
}

/** Nested rings, and a path that enters one more with each step after the first. */
function shapeAttackPath(count: number) {
  const { width, height } = size;
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

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
