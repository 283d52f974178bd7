import type { CountedTime, ReportCounts } from '../../core/database/report-counts.ts';
import type { Cell, Figure, FigureSource, Week } from '../../core/figures/figure.ts';
import { orNone, selectWeek, sum } from '../../core/figures/weeks.ts';
import { heldBackStates } from './states.ts';

type MessageCounts = Awaited<ReturnType<ReportCounts['countMessages']>>;

type Needs = { domainDeps: { reportCounts: Pick<ReportCounts, 'countMessages' | 'countAnswerTimes'> } };

export const messageFigures: FigureSource<Needs> = {
  async read({ domainDeps: { reportCounts } }, weeks) {
    const [from = '', before = ''] = [weeks[0]?.from, weeks.at(-1)?.before];
    const messages = await reportCounts.countMessages(from, before);
    const answerTimes = await reportCounts.countAnswerTimes(from, before);
    return [countMessages(weeks, messages), measureAnswers(messages, answerTimes)];
  },
};

function countMessages(weeks: readonly Week[], messages: MessageCounts): Figure {
  const rows = weeks.map(week => {
    const ofWeek = selectWeek(messages, week);
    const [answered, open, held] = [['answered', 'closed'], ['new'], heldBackStates].map(states =>
      countStates(ofWeek, states),
    );
    return [week.from, answered, open, held, countStates(ofWeek, ['empty']), sum(ofWeek)] as Cell[];
  });
  return {
    id: 'messages',
    title: 'Messages by outcome',
    summary: `${sum(messages)} received, ${countStates(messages, ['new'])} not answered yet`,
    sentence: 'Messages received. Those released from quarantine count as what became of them since.',
    columns: ['Week from', 'Answered or closed', 'Open', 'Quarantine and spam', 'Empty', 'All'],
    rows: orNone(rows),
    drawn: [1, 2, 3],
    isWeekly: true,
  };
}

const hour = 3600;
const day = 24 * hour;
const answerSteps: [string, number][] = [
  ['1 h', hour],
  ['4 h', 4 * hour],
  ['1 day', day],
  ['3 days', 3 * day],
  ['1 week', 7 * day],
  ['longer', Infinity],
];

function measureAnswers(messages: MessageCounts, times: readonly CountedTime[]): Figure {
  const all = countStates(messages, ['new', 'answered', 'closed']);
  const open = countStates(messages, ['new']);
  const steps = answerSteps.map(([name, max], index): [string, number] => {
    const min = answerSteps[index - 1]?.[1] ?? -Infinity;
    return [name, sum(times.filter(({ seconds }) => seconds > min && seconds <= max))];
  });
  const inADay = sum(times.filter(({ seconds }) => seconds <= day));
  const share = (count: number) => (all === 0 ? 0 : Math.round((1000 * count) / all) / 10);
  const rows = [...steps, ['closed', Math.max(0, all - open - sum(times))], ['open', open]] as const;
  return {
    id: 'answers',
    title: 'Time to answer',
    summary: `${Math.round(share(inADay))} % answered within a day`,
    sentence:
      'How long messages waited until they were marked as answered, by the clock, nights and weekends included. Closed: without an answer. Open: none yet.',
    columns: ['Answered within', 'Messages', 'Share in percent'],
    rows: all === 0 ? [] : rows.map(([name, count]) => [name, count, share(count)]),
    drawn: [1],
    isWeekly: false,
  };
}

function countStates(messages: MessageCounts, states: readonly string[]): number {
  return sum(messages.filter(({ state }) => states.includes(state)));
}
