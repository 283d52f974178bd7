/** The queue is full; the client may retry. */
export class BusyError extends Error {}
