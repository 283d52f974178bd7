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
