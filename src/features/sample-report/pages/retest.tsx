import { sample } from 'content:sample';
import { termClass } from './sample-report-section.tsx';

export function Retest() {
  const { finding, severity, result, note, findings } = sample.retest;
  return (
    <>
      <table className="w-full text-left">
        <thead className={termClass}>
          <tr>
            {[`${finding}, ${severity}`, result].map(name => (
              <th className="pr-4 pb-2 font-normal" key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {findings.map(one => (
            <tr className="border-t border-hairline align-top" key={one.id}>
              <th className="py-2 pr-4 font-normal" scope="row">
                <span className="block font-mono text-xs text-muted">
                  {one.id} · {one.severity}
                </span>
                {one.title}
              </th>
              <td className={`py-2 font-semibold ${one.isClosed ? 'text-accent' : 'text-attention'}`}>
                {one.result}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="mt-3 text-sm text-muted">{note}</p>
    </>
  );
}
