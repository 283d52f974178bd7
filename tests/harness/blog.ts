import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Copy, copyProject } from './process.ts';
import { publicUrl } from './public-site.ts';
import { root, startSite, type TestSite } from './site.ts';

/** The post that has everything a post may have, and the number of plain ones before it. */
export const fullPost = '/blog/everything-a-post-may-have';
export const plainPosts = 11;

const filler = 'A sentence that is there to be read, and to make this post as long as a long one. '.repeat(4);

function plain(number: number): string {
  const topic = number % 2 ? 'defence' : 'testing';
  return `---
title: A plain post of number ${number}
summary: A post with nothing in it but one sentence, written to fill the list of posts, and of number ${number} among them.
topics:
  - ${topic}
date: 2026-09-${day(number)}
---

This one sentence is all that the post of number ${number} says.
`;
}

function day(number: number): string {
  return String(number).padStart(2, '0');
}

/** Replaces the existing posts. */
export function writePosts(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  for (let number = 1; number <= plainPosts; number += 1)
    writeFileSync(join(folder, `2026-09-${day(number)}-plain-${number}.md`), plain(number));
  const everything = readFileSync(join(import.meta.dirname, 'everything-a-post-may-have.md'), 'utf8');
  const long = everything.replaceAll('{filler}', filler);
  writeFileSync(join(folder, '2026-11-02-everything-a-post-may-have.md'), long);
  cpSync(join(root, 'docs/home.png'), join(folder, 'home.png'));
}

/** A site whose blog has these posts, built once for a file of tests. */
export async function startBlog(): Promise<TestSite> {
  const copy = copyProject();
  writePosts(join(copy.folder, 'content/blog'));
  const site = await startSite({}, {}, await build(copy));
  return {
    ...site,
    async [Symbol.asyncDispose]() {
      await site[Symbol.asyncDispose]();
      await copy[Symbol.asyncDispose]();
    },
  };
}

async function build(copy: Copy): Promise<string> {
  const built = copy.start({ SITE_URL: publicUrl }, { script: 'src/cli/build.ts' });
  if ((await built.ended) !== 0) throw new Error(built.output());
  return join(copy.folder, 'dist');
}
