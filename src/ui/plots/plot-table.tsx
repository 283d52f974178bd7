type PlotTableProps = { title: string; columns: string[]; rows: (string | number)[][] };

/** The figures of a plot: on the site for people who do not see it, at the desk for all. */
export function PlotTable({ title, columns, rows }: PlotTableProps) {
  return (
    <table>
      <caption className="sr-only">{title}</caption>
      <thead>
        <tr>
          {columns.map(name => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, ...values]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            {values.map((value, index) => (
              <td key={columns[index + 1]}>{value}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
