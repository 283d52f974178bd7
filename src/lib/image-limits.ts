/** Of a picture, as a file. The desk takes no larger file of any kind; docs/owner/editing.md says both. */
export const maxImageMb = 20;
export const maxImageMegapixels = 50;
