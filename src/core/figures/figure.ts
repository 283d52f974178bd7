/** Numbers as a table: the first column names the row. `drawn` are the columns of the plot. */
export type Figure = {
  id: string;
  title: string;
  summary: string;
  sentence: string;
  columns: string[];
  rows: Cell[][];
  drawn: number[];
  isWeekly: boolean;
};

export type Cell = string | number;

/** Two days, of which the second is the first of the week after. */
export type Week = { from: string; before: string };

/** What a feature counts: numbers only, no names, addresses or texts of visitors. */
export type FigureSource<Needs = unknown> = {
  read(needs: Needs, weeks: readonly Week[]): Promise<Figure[]>;
};

/** Of all features, over as many weeks. The last one is the present week. */
export type ReadFigures = (period: { now: Date; weeks: number }) => Promise<Figure[]>;
