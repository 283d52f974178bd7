import { type SuppressDeps, suppressSubscriber } from '../subscribers/suppress-subscriber.ts';
import type { Report } from './read-bounce.ts';

/** `suppressed` and `already` are of the address that is on the list; whatever else there is changes nothing. */
export type TakenReport = {
  kind: 'suppressed' | 'already' | 'unknown' | 'soft' | 'unclear';
  address: string;
};

/** Sends nothing more to whom a report is about, if it is about somebody on the list and leaves no doubt. */
export async function takeReport(deps: SuppressDeps, report: Report): Promise<TakenReport> {
  const [address = ''] = report.addresses;
  if (report.kind === 'bounce' && report.finding !== 'nobody') return { kind: report.finding, address };
  for (const one of report.addresses) {
    const { kind } = await suppressSubscriber(deps, one, report.kind);
    if (kind === 'suppressed' || kind === 'already') return { kind, address: one };
  }
  return { kind: 'unknown', address };
}
