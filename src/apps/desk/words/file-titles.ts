import { listFiles } from '../../../core/content/content-part.ts';
import { facts } from '../../../core/content/facts.ts';
import { contentParts } from '../../../features.content.ts';

const groupTitles = {
  company: 'Your company',
  pages: 'Pages',
  policies: 'Policies',
  mails: 'Emails',
  'every page': 'On every page',
};

const allFiles = listFiles([facts, ...contentParts]);

/** The files of content/ of the features that are on, in the order of an owner. */
export function listFileGroups(isOn: (feature: string) => boolean): { title: string; files: string[] }[] {
  const files = listFiles([facts, ...contentParts.filter(({ name }) => isOn(name))]);
  return Object.entries(groupTitles).map(([name, title]) => ({
    title,
    files: files.filter(({ group }) => group === name).map(({ path }) => path),
  }));
}

/** The name that the owner knows it by. */
export function getFileTitle(file: string): string {
  return allFiles.find(({ path }) => path === file)?.title ?? file;
}
