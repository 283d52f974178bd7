/** A fault of the words or of a page, to be shown to the person who builds: lines, no stack. */
export class BuildRefusal extends Error {}
