import { sample } from 'content:sample';
import { Component as ExposurePlot } from './exposure-plot.tsx';
import { NumberedSteps } from './sample-finding.tsx';
import { termClass } from './sample-report-section.tsx';
import { SeverityPlot } from './severity-plot.tsx';

export function Summary() {
  const { text, plot, firstTitle, first } = sample.summary;
  return (
    <>
      {text.map(paragraph => (
        <p className="mb-3 max-w-reading text-lg" key={paragraph}>
          {paragraph}
        </p>
      ))}
      <figure className="mt-9">
        <SeverityPlot />
        <figcaption className="mt-3 font-mono text-xs text-muted">{plot}</figcaption>
      </figure>
      <h3 className={`${termClass} mt-9 mb-3`}>{firstTitle}</h3>
      <NumberedSteps steps={first} />
      <ExposurePlot />
    </>
  );
}
