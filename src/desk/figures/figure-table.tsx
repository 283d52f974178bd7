import type { Figure } from '../../domain/figures/figure.ts';

export function FigureTable({ figure: { title, columns, rows } }: { figure: Figure }) {
  return (
    // A region that scrolls must be reachable by keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <div aria-label={`Table: ${title}`} className="max-h-96 overflow-auto" role="region" tabIndex={0}>
      <table className="w-full text-sm tabular-nums">
        <thead>
          <tr>
            {columns.map((name, index) => (
              <th
                className={`sticky top-0 bg-raised px-2 py-1.5 align-bottom font-semibold first:pl-0 ${index === 0 ? 'text-left' : 'text-right'}`}
                key={name}
                scope="col"
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([first = '', ...cells]) => (
            <tr className="border-t border-hairline" key={first}>
              <th className="py-1 pr-2 text-left font-normal whitespace-nowrap" scope="row">
                {first}
              </th>
              {cells.map((cell, index) => (
                <td className="px-2 py-1 text-right" key={columns[index + 1]}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
