import type { Fields } from '../../../core/content/editing/edit-file.ts';
import type { ItemOrigins, Remarks } from '../../../core/content/editing/form-types.ts';
import type { OpenedFile } from '../../../core/content/editing/open-file.ts';
import type { buildHistoryProps } from './history-props.ts';
import type { buildPublishProps } from './publish-props.ts';

type FileEntry = { file: string; title: string; about: string; errors: number };

export type WordsListProps = {
  groups: { title: string; files: FileEntry[] }[];
  links: { text: string; path: string }[];
};

export type EditorProps = { file: string } & OpenedFile;

/** `path` is that of the field, where the error is about one of this file. */
export type FieldError = { path: string; file: string; fileTitle: string; field: string; reason: string };

export type SaveAnswer =
  | { state: 'saved'; file: string; hash: string; remarks: Remarks; draftErrors: FieldError[] }
  | { state: 'refused'; errors: FieldError[] }
  /** The file as it is now. */
  | { state: 'changed-meanwhile'; hash: string; fields: Fields }
  | { state: 'failed'; reason: string };

export type HistoryProps = Awaited<ReturnType<typeof buildHistoryProps>>;
export type HistoryEntry = HistoryProps['changes'][number];

export type BrandProps = {
  /** As they are written in brand.yaml, by theme and name. */
  colours: Record<string, Record<string, string>>;
  /** All other fields of brand.yaml, for the preview. */
  fields: Fields;
  /** Of the file as it was read. */
  hash: string;
  error?: string;
};

export type ImageEntry = {
  /** Below content/. */
  file: string;
  url: string;
  width: number;
  height: number;
  size: string;
  /** The posts that show it. */
  usedIn: string[];
};

export type ImagesProps = {
  images: ImageEntry[];
  logoUrl: string;
  fonts: string[];
  /** Of the picture that was just added, to be pasted into a post. */
  markdown?: string;
  /** Which form was refused, and why. */
  refused?: { kind: string; reason: string };
};

/** What adding a picture from within the editor of a post answers. */
export type ImageAnswer = { markdown: string } | { reason: string };

/** The fields of a file as they are typed; without them, the saved text is shown. */
export type PreviewRequest = {
  file: string;
  path: string;
  fields?: Fields | undefined;
  /** Where the items of reordered lists came from, as saving gets it. */
  origins?: ItemOrigins | undefined;
};

export type PreviewAnswer = {
  /** The URL of the page; missing where it cannot be shown. */
  frame?: string;
  /** What prevents publishing. While `isStale`, the page shows the last text without errors. */
  problems: string[];
  isStale: boolean;
  pages: { path: string; title: string }[];
};

export type PublishProps = Awaited<ReturnType<typeof buildPublishProps>>;
export type PublishError = PublishProps['errors'][number];

export type WordsPages = {
  'words/brand': BrandProps;
  'words/editor': EditorProps;
  'words/history': HistoryProps;
  'words/images': ImagesProps;
  'words/list': WordsListProps;
  'words/publish': PublishProps;
};
