import type { BrandProps } from './brand-types.ts';
import type { ImagesProps } from './image-types.ts';
import type { PublishProps } from './publish-types.ts';

export type SitePages = {
  'words/brand': BrandProps;
  'words/images': ImagesProps;
  'words/publish': PublishProps;
};
