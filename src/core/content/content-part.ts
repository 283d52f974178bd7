import type * as v from 'valibot';
import type { ContentError } from './content-error.ts';
import type { Brand } from './schemas/brand.ts';
import type { Company } from './schemas/company.ts';
import type { ParsedFile, Path } from './source-positions.ts';

/** What a feature has in content/. Everything that reads, checks or edits content/ iterates over a list of these. */
export type ContentPart = {
  /** That of the feature. */
  name: string;
  /** Only where the owner can switch the feature off: what it is, at the box that does. */
  switchHint?: string;
  files: Record<string, ContentFile>;
  /** By the name of what is in them. */
  folders?: Record<string, ContentFolder>;
  /** Beyond the schemas: what refers to another place, or must be unique. */
  findErrors?(files: ParsedFiles): ContentError[];
  /** Of titles and descriptions that its pages make of several fields. A page can be shown in spite of them. */
  findMetaErrors?(files: ParsedFiles, companyName: string | undefined): ContentError[];
};

export type ContentFile = {
  /** Below content/. */
  path: string;
  schema: v.GenericSchema;
  /** What is filled in where the text is used, and not when it is read. */
  placeholders?: readonly string[];
  /** Where it has the title and description of a page: the empty path where the file itself is one. */
  pages?: readonly Path[];
  /** Whether it says which optional features the site has. */
  hasSwitches?: boolean;
  /** Fields that an earlier release had in this file, and that brand.yaml has now. */
  movedToBrand?: readonly string[];
  /** At the desk: its name, and where it is listed. */
  title: string;
  group: 'company' | 'pages' | 'policies' | 'mails' | 'every page';
  /** The page where most of it is seen, if any. */
  preview?: string;
};

/** A folder of files of one kind, such as posts, of which there may be any number. */
export type ContentFolder<Entry = unknown> = {
  /** Whether it is one of them, by its path below content/. */
  hasFile(file: string): boolean;
  createSchema(source: FolderSource): v.GenericSchema;
  /** `entries` is missing where an error prevents publishing. */
  read(source: FolderSource, options: ReadOptions): FolderResult<Entry>;
  /** The path of a file once it has these fields. */
  rename?(file: string, fields: Record<string, unknown>): string;
};

/** `files`: what is valid of the feature's own files. */
export type FolderSource = { folder: string; facts: ReadFacts; files: Record<string, unknown> };
type FolderResult<Entry> = { entries?: Entry[]; errors: ContentError[]; warnings: string[] };

/** A preview has drafts, all entries but those with errors, and content that can be shown but not published. */
export type ReadOptions = { isPreview?: boolean };

/** By path below content/. */
export type ParsedFiles = Readonly<Record<string, ParsedFile | undefined>>;

/** What every text may name. */
export type Facts = { brand: Brand; company: Company };

/** Undefined while their file has errors. */
export type ReadFacts = { [Name in keyof Facts]: Facts[Name] | undefined };

type OutputOf<File> = File extends { schema: infer Schema extends v.GenericSchema }
  ? v.InferOutput<Schema>
  : never;
type FilesOf<Part> = Part extends { files: infer Files }
  ? { [Name in keyof Files]: OutputOf<Files[Name]> }
  : never;
type FoldersOf<Part> = Part extends { folders: infer Folders }
  ? { [Name in keyof Folders]: Folders[Name] extends ContentFolder<infer Entry> ? Entry[] : never }
  : never;
type Intersect<Union> = (Union extends unknown ? (value: Union) => void : never) extends (
  value: infer Both,
) => void
  ? Both
  : never;

/** The content of some parts, by the names of their files. */
export type ContentOf<Parts extends readonly ContentPart[]> = Facts & Intersect<FilesOf<Parts[number]>>;

/** What is in the folders of some parts. */
export type EntriesOf<Parts extends readonly ContentPart[]> = Intersect<FoldersOf<Parts[number]>>;

export function listFiles(parts: readonly ContentPart[]): ContentFile[] {
  return parts.flatMap(({ files }) => Object.values(files));
}

export function listFolders(parts: readonly ContentPart[]): ContentFolder[] {
  return parts.flatMap(({ folders = {} }) => Object.values(folders));
}
