import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Replaces the posts of a blog by three short ones. */
export function writePosts(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  for (const number of [1, 2, 3]) {
    const date = `2026-09-0${number}`;
    writeFileSync(
      join(folder, `${date}-plain-${number}.md`),
      `---
title: A plain post of number ${number}
summary: A post with nothing in it but one sentence, written to fill the list of posts, and of number ${number} among them.
topics:
  - testing
date: ${date}
---

This one sentence is all that the post of number ${number} says.
`,
    );
  }
}
