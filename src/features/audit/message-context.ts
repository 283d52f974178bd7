import type { MessageContext } from '../../core/message-context.ts';
import type { Audits } from './requests/audits.ts';
import { getReport } from './requests/read-report.ts';

/** The report from which a visitor wrote to us. */
export function createMessageContext(audits: Pick<Audits, 'get'>): MessageContext {
  return {
    title: 'Audit report',
    heading: 'The free audit that it is about',
    erased: 'Erased: a report is kept for 30 days, or until the visitor deletes it',
    async find(id) {
      const stored = await getReport({ audits }, id);
      if (!stored) return undefined;
      const { describeReport } = await import('./describe-report.ts');
      return { stored, describe: content => describeReport(stored, content) };
    },
  };
}
