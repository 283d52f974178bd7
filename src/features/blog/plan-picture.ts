import { findFreeName, planFile, type UploadPlan } from '../../core/content/editing/plan-upload.ts';
import { checkImage } from './post-images.ts';
import { postsFolder } from './read-post.ts';

/** A picture is a file beside the posts. */
export function planPicture(folder: string, name: string, bytes: Uint8Array): UploadPlan {
  if (bytes.length === 0) return { reason: 'is empty' };
  const image = checkImage(bytes);
  if ('reason' in image) return image;
  const file = findFreeName(folder, { subfolder: postsFolder, name, extension: image.type }, bytes);
  return planFile(folder, file, bytes, `Add the picture ${file}`);
}

/** As a post names it. What would end the description early is left out. */
export function formatImageMarkdown(file: string, description: string): string {
  const name = file.slice(postsFolder.length + 1);
  return `![${description.replaceAll(/[[\]\\\s]+/g, ' ').trim()}](${name})`;
}
