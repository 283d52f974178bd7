export type OverviewProps = Record<string, never>;
