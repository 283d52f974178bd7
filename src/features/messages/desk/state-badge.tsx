import { Badge } from '../../../ui/desk/badge.tsx';
import type { StateName } from './props.ts';

export const stateTexts: Record<StateName | 'all', string> = {
  new: 'New',
  answered: 'Answered',
  closed: 'Closed',
  quarantined: 'Quarantine',
  spam: 'Spam',
  empty: 'Empty',
  all: 'All',
};

export function StateBadge({ state }: { state: StateName }) {
  return <Badge tone={tones[state]}>{stateTexts[state]}</Badge>;
}

const tones: Record<StateName, 'plain' | 'good' | 'attention'> = {
  new: 'good',
  answered: 'plain',
  closed: 'plain',
  quarantined: 'attention',
  spam: 'attention',
  empty: 'plain',
};
