/** What a check could not ask or was not answered. The message is short, ours, and may be shown as evidence. */
export class NetworkError extends Error {}
