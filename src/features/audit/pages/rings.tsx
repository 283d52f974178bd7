import type { CheckStatus } from '../terms.ts';
import { colourClass } from './status.tsx';

type Ring = {
  name: string;
  /** The length of the arc, from 0 to 100. */
  score: number | null;
  /** A node on the ring for each check; undefined while it is not known. */
  checks?: (CheckStatus | undefined)[];
};

type RingsProps = { grade?: string | null; rings: Ring[]; className: string };

const centre = 130;
const radii = [112, 88, 64];
/** Three quarters of a circle; the last quarter holds the names. */
const sweep = 75;

/** One ring per group, from the top clockwise. Decoration: the same figures are in a table or list beside it. */
export function Rings({ grade, rings, className }: RingsProps) {
  return (
    <svg aria-hidden="true" className={className} fill="none" viewBox="0 0 260 260">
      {[124, 100, 76, 52].map(radius => (
        <Arc className="text-hairline" key={radius} length={sweep} radius={radius} width={1} />
      ))}
      {rings.map(({ name, score, checks = [] }, index) => {
        const radius = radii[index] ?? 0;
        return (
          <g key={name}>
            <Arc className="text-edge" length={sweep} radius={radius} width={1} />
            {score === null ? null : (
              <g className={score < 50 ? 'text-attention' : 'text-accent'}>
                <Arc length={(score / 100) * sweep} radius={radius} width={5} />
                <Node radius={radius} share={score / 100} size={7} />
              </g>
            )}
            {checks.map((status, place) => (
              <Node
                className={status ? colourClass[status] : 'text-edge'}
                // biome-ignore lint/suspicious/noArrayIndexKey: a place on the ring is all that a node is
                key={place}
                radius={radius}
                share={(place + 1) / (checks.length + 1)}
                size={status ? 5 : 3}
              />
            ))}
            <text
              className="font-mono text-[12px]"
              fill="currentColor"
              textAnchor="end"
              x={centre - 14}
              y={centre - radius + 4}
            >
              {score === null ? name : `${name} ${score}`}
            </text>
          </g>
        );
      })}
      {grade === undefined ? null : (
        <text
          className="text-[68px] font-semibold"
          fill="currentColor"
          textAnchor="middle"
          x={centre}
          y={centre + 24}
        >
          {grade ?? '–'}
        </text>
      )}
    </svg>
  );
}

type ArcProps = { radius: number; length: number; width: number; className?: string };

/** `length` in hundredths of the circle. */
function Arc({ radius, length, width, className }: ArcProps) {
  return (
    <circle
      className={className}
      cx={centre}
      cy={centre}
      pathLength="100"
      r={radius}
      stroke="currentColor"
      strokeDasharray={`${length} 100`}
      strokeWidth={width}
      transform={`rotate(-90 ${centre} ${centre})`}
    />
  );
}

type NodeProps = { radius: number; share: number; size: number; className?: string };

/** `share` of the way along the ring. */
function Node({ radius, share, size, className }: NodeProps) {
  const angle = share * (sweep / 100) * 2 * Math.PI;
  const round = (value: number) => Math.round(value * 10) / 10;
  return (
    <circle
      className={className}
      cx={round(centre + radius * Math.sin(angle))}
      cy={round(centre - radius * Math.cos(angle))}
      fill="currentColor"
      r={size}
    />
  );
}
