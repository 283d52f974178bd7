import { DatabaseSync as Real } from 'node:sqlite';
import { nextFate } from './failing.ts';

const [ioError, full] = [10, 13];

/** Stands in for node:sqlite in a copy of the product. A full disk has written nothing; after any other failure that is unknown. */
export class DatabaseSync extends Real {
  override exec(sql: string): void {
    const fate = sql === 'commit' ? nextFate() : 'well';
    if (fate === 'before') throw failure('database or disk is full', full);
    super.exec(sql);
    if (fate === 'after') throw failure('disk I/O error', ioError);
  }
}

function failure(message: string, errcode: number): Error {
  return Object.assign(new Error(message), { code: 'ERR_SQLITE_ERROR', errcode });
}
