import type { SharedPages } from '../../core/desk/page.ts';
import { featureViews } from '../../features.desk.tsx';
import type { Views, ViewsOf } from '../../ui/desk/views.ts';
import { Problem } from './components/problem.tsx';
import { Figures } from './figures/figures.tsx';
import { Health } from './health/health.tsx';
import { Launch } from './health/launch.tsx';
import { Setting } from './health/setting.tsx';
import { Overview } from './overview/overview.tsx';
import type { OwnPages } from './pages.ts';
import { Brand } from './words/brand.tsx';
import { Editor } from './words/editor.tsx';
import { History } from './words/history.tsx';
import { Images } from './words/images.tsx';
import { WordsList } from './words/list.tsx';
import { Publish } from './words/publish.tsx';

const ownViews: ViewsOf<SharedPages & OwnPages> = {
  overview: Overview,
  figures: Figures,
  health: Health,
  'health/launch': Launch,
  'health/setting': Setting,
  problem: Problem,
  'words/brand': Brand,
  'words/images': Images,
  'words/publish': Publish,
  'words/editor': Editor,
  'words/history': History,
  'words/list': WordsList,
};

export const views: Views = Object.assign({}, ownViews, ...featureViews);
