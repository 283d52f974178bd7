import { type Kysely, sql } from 'kysely';
import type { Tables } from './tables.ts';

/** Sums of what was counted by day. Those from a day on come largest first. */
export type ViewFigures = {
  countViews(): Promise<{ day: string; count: number }[]>;
  countPages(from: string): Promise<{ path: string; count: number }[]>;
  /** Without what no other site led to. */
  countReferrers(from: string): Promise<{ referrer: string; count: number }[]>;
  countCampaigns(from: string): Promise<CampaignFigures[]>;
};

export type CampaignFigures = {
  source: string;
  medium: string;
  campaign: string;
  views: number;
  messages: number;
};

export function createViewFigures(db: Kysely<Tables>): ViewFigures {
  const sum = sql<unknown>`sum(count)`.as('count');
  const views = () => db.selectFrom('views').where('kind', '=', 'view');
  return {
    async countViews() {
      const rows = await views().select(['day', sum]).groupBy('day').orderBy('day').execute();
      return rows.map(withNumber);
    },

    async countPages(from) {
      const rows = await views().select(['path', sum]).where('day', '>=', from).groupBy('path').execute();
      return rows.map(withNumber).sort(byCount(({ path }) => path));
    },

    async countReferrers(from) {
      const rows = await views()
        .select(['referrer', sum])
        .where('day', '>=', from)
        .where('referrer', '!=', '')
        .groupBy('referrer')
        .execute();
      return rows.map(withNumber).sort(byCount(({ referrer }) => referrer));
    },

    async countCampaigns(from) {
      const names = ['source', 'medium', 'campaign'] as const;
      const rows = await db
        .selectFrom('views')
        .select([...names, 'kind', sum])
        .where('day', '>=', from)
        .where(({ eb, or }) => or(names.map(name => eb(name, '!=', ''))))
        .groupBy([...names, 'kind'])
        .execute();
      const found = new Map<string, CampaignFigures>();
      for (const { kind, count, ...named } of rows.map(withNumber)) {
        const key = JSON.stringify(named);
        const known = found.get(key) ?? { ...named, views: 0, messages: 0 };
        found.set(key, { ...known, [kind === 'view' ? 'views' : 'messages']: count });
      }
      return [...found.values()].sort(
        (a, b) => b.views - a.views || b.messages - a.messages || (a.campaign < b.campaign ? -1 : 1),
      );
    },
  };
}

function withNumber<Row extends { count: unknown }>(row: Row): Omit<Row, 'count'> & { count: number } {
  return { ...row, count: Number(row.count) };
}

function byCount<Row extends { count: number }>(nameOf: (row: Row) => string) {
  return (a: Row, b: Row) => b.count - a.count || (nameOf(a) < nameOf(b) ? -1 : 1);
}
