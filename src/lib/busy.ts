/** More waits already than can be done in good time. Nothing is wrong, and whoever came may come again. */
export class Busy extends Error {}
