import { readFileSync, statSync } from 'node:fs';
import { type BounceResult, longestReport, readBounce } from '../../domain/bounces/read-bounce.ts';
import { type TakenReport, takeReport } from '../../domain/bounces/take-report.ts';
import type { Wired } from '../../server/wire.ts';
import { explainFile } from '../complain.ts';
import { fail, note, print } from '../say.ts';
import { printTable } from '../table.ts';
import type { Call } from './call.ts';

type Line = TakenReport & { file: string; report: 'bounce' | 'complaint'; status: string };

const words: Record<TakenReport['kind'], string> = {
  suppressed: 'suppressed',
  already: 'was suppressed already',
  unknown: 'not on the list, nothing done',
  soft: 'not about the address, nothing done',
  unclear: 'does not say why, nothing done',
};

/** Each file is one mail, as the mailbox that bounces come back to has it. */
export async function bounces(wired: Wired, { given, values }: Call): Promise<void> {
  const { store, clock, newsletter } = wired;
  const deps = { subscribers: store.subscribers, clock, newsletter: newsletter.naming };
  const lines: Line[] = [];
  const unread: { file: string; why: string }[] = [];
  for (const file of given) {
    const result = await readReport(file);
    if (result.kind === 'unreadable') {
      unread.push({ file, why: result.why });
      continue;
    }
    for (const report of result.reports) {
      const status = report.kind === 'bounce' ? report.status : '';
      lines.push({ ...(await takeReport(deps, report)), file, report: report.kind, status });
    }
    if (result.reports.length === 0) note(`${file}: nothing failed, and nobody complained.`);
  }
  if (values.json) print({ reports: lines.map(({ kind, ...line }) => ({ ...line, result: kind })), unread });
  else {
    printTable(
      ['file', 'address', 'report', 'status', 'result'],
      lines.map(({ file, address, report, status, kind }) => [file, address, report, status, words[kind]]),
    );
  }
  for (const { file, why } of unread) fail(`${file}: ${why}.`);
  const suppressed = lines.filter(({ kind }) => kind === 'suppressed').length;
  if (!values.json) note(`Addresses suppressed: ${suppressed}.`);
}

async function readReport(file: string): Promise<BounceResult> {
  try {
    if (statSync(file).size > longestReport) return { kind: 'unreadable', why: 'it is longer than 1 MB' };
    return await readBounce(readFileSync(file));
  } catch (error) {
    return { kind: 'unreadable', why: explainFile(error) };
  }
}
