import type { ComponentType } from 'react';
import { Problem } from './components/problem.tsx';
import { Overview } from './overview/overview.tsx';
import type { Pages } from './pages.ts';

export const views: { [Name in keyof Pages]: ComponentType<Pages[Name]> } = {
  overview: Overview,
  problem: Problem,
};
