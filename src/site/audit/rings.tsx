type RingsProps = {
  grade: string | null;
  rings: { name: string; score: number | null }[];
  className: string;
};

const centre = 130;
const radii = [112, 88, 64];
/** Three quarters of a circle; the last quarter holds the names. */
const sweep = 75;

/** One ring per group, from the top clockwise. Decoration: a table beside it has the same figures. */
export function Rings({ grade, rings, className }: RingsProps) {
  return (
    <svg aria-hidden="true" className={className} fill="none" viewBox="0 0 260 260">
      {[124, 100, 76, 52].map(radius => (
        <Arc className="text-hairline" key={radius} length={sweep} radius={radius} width={1} />
      ))}
      {rings.map(({ name, score }, index) => {
        const radius = radii[index] ?? 0;
        const end = ((score ?? 0) / 100) * 1.5 * Math.PI;
        return (
          <g key={name}>
            <Arc className="text-edge" length={sweep} radius={radius} width={1} />
            {score === null ? null : (
              <g className={score < 50 ? 'text-attention' : 'text-accent'}>
                <Arc length={(score / 100) * sweep} radius={radius} width={5} />
                <circle
                  cx={round(centre + radius * Math.sin(end))}
                  cy={round(centre - radius * Math.cos(end))}
                  fill="currentColor"
                  r="7"
                />
              </g>
            )}
            <text
              className="font-mono text-[12px]"
              fill="currentColor"
              textAnchor="end"
              x={centre - 14}
              y={centre - radius + 4}
            >
              {`${name} ${score ?? '–'}`}
            </text>
          </g>
        );
      })}
      <text
        className="text-[68px] font-semibold"
        fill="currentColor"
        textAnchor="middle"
        x={centre}
        y={centre + 24}
      >
        {grade ?? '–'}
      </text>
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

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
