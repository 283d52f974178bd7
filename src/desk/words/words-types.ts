import type { FormField, ItemOrigins, Remarks } from '../../content/editing/form-types.ts';
import type { Moment } from '../format-time.ts';

export type Fields = Record<string, unknown>;

export type FileEntry = { file: string; title: string; about: string; errors: number };

export type WordsListProps = { groups: { title: string; files: FileEntry[] }[]; posts: number };

export type EditorProps = {
  file: string;
  form: FormField;
  fields: Fields;
  remarks: Remarks;
  /** Of the file as it was read. */
  hash: string;
  /** The values of placeholders such as {company.name}, to count the length of a text as it is shown. */
  placeholders: Record<string, string>;
};

export type SaveBody = { fields: Fields; origins?: ItemOrigins; hash: string };

/** `path` is that of the field, where the error is about one of this file. */
export type FieldError = { path: string; file: string; fileTitle: string; field: string; reason: string };

export type SaveAnswer =
  | { state: 'saved'; file: string; hash: string; remarks: Remarks; draftErrors: FieldError[] }
  | { state: 'refused'; errors: FieldError[] }
  /** The file as it is now. */
  | { state: 'changed-meanwhile'; hash: string; fields: Fields }
  | { state: 'failed'; reason: string };

export type PostEntry = {
  file: string;
  title: string;
  date: string;
  state: 'draft' | 'scheduled' | 'published';
  errors: number;
};

export type PostsProps = {
  posts: PostEntry[];
  typed?: { title: string; date: string };
  today: string;
  titleLimit: number;
  /** Of the new post, at its fields. */
  errors?: { title?: string; date?: string };
  error?: string;
};

export type DiffLine = { kind: 'same' | 'removed' | 'added'; text: string };

export type HistoryEntry = {
  id: string;
  at: Moment;
  summary: string;
  files: { file: string; title: string; lines: DiffLine[]; isBinary: boolean; left: number }[];
};

/** `copies`: how many of these changes are no commits. */
export type HistoryProps = { changes: HistoryEntry[]; hasOlder: boolean; usesGit: boolean; copies: number };

export type WordsPages = {
  'words/editor': EditorProps;
  'words/history': HistoryProps;
  'words/list': WordsListProps;
  'words/posts': PostsProps;
};
