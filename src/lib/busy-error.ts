export class BusyError extends Error {}
