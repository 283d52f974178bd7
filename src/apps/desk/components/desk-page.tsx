import type { ComponentType } from 'react';
import type { Frame, Page } from '../../../core/desk/page.ts';
import { views } from '../views.tsx';
import { Layout } from './layout.tsx';

export function DeskPage({ page, frame }: { page: Page; frame: Frame }) {
  const View = views[page.view] as ComponentType<Page['props']>;
  return (
    <Layout frame={frame} page={page}>
      <View {...page.props} />
    </Layout>
  );
}
