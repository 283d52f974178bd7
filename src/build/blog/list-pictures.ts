import type { Post } from '../../content/blog/types.ts';
import { BuildRefusal } from '../build-refusal.ts';
import type { FoundFile } from '../found/files.ts';
import { makePicture } from './make-picture.ts';

/** The files of the pictures that posts show. Two posts may show the same one. */
export function listPictures(posts: Post[]): FoundFile[] {
  const files = new Map<string, FoundFile>();
  for (const { file: post, pictures } of posts) {
    for (const { file, line, addresses } of pictures) {
      for (const address of addresses) {
        const make = () =>
          makePicture(file, address).catch(error => {
            throw new BuildRefusal(
              `content/${post} line ${line}: shows a picture that cannot be drawn (${error.message})`,
            );
          });
        files.set(address.path, { path: address.path, make });
      }
    }
  }
  return [...files.values()];
}
