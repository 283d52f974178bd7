// The packages of proof/package.json, for `tsc` in a clone where only the product is installed.
declare module 'sirv';
