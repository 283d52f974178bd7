/** One save of the owner. A file that is null was missing before, or is afterwards. */
export type Change = { id: string; at: string; summary: string; files: ChangedFile[] };
export type ChangedFile = { file: string; before: Buffer | null; after: Buffer | null };
