import type { Moment } from '../format-time.ts';

export type OverviewProps = {
  messages: { total: string; newest: NewMessage[] } | null;
  tasks: OverviewTask[];
};

export type NewMessage = { path: string; name: string; about: string; start: string; received: Moment };

export type OverviewTask = { title: string; text: string; link: string; path: string; isUrgent?: boolean };
