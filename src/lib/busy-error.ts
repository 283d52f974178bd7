/** Too many requests wait already; the client may retry. */
export class Busy extends Error {}
