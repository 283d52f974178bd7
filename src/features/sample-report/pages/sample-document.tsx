import { ReportPage } from './report-page.tsx';
import { Component as Sample } from './sample.tsx';

export function Component() {
  return (
    <Sample>
      <ReportPage />
    </Sample>
  );
}
