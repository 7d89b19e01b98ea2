// The content hash of a tape: depends on the header and the rows alone, not on block sizes or compression.
import { createHash, type Hash } from 'node:crypto';
import type { Rows } from '../../bot/domain/rows/rows.ts';

export interface TapeHash {
  add(rows: Rows): void;
  /** SHA-256 over the header and the SHA-256 of each column; more rows may be added after. */
  digest(): Buffer;
}

export function createTapeHash(header: string): TapeHash {
  const columns: Hash[] = Array.from({ length: 6 }, () => createHash('sha256'));
  return {
    add({ times, lags, codes, prices, sizes, orders }) {
      for (const [index, values] of [times, lags, codes, prices, sizes, orders].entries())
        if (values !== undefined) columns[index]?.update(values);
    },
    digest: () => columns.reduce((all, column) => all.update(column.copy().digest()), createHash('sha256').update(header)).digest(),
  };
}
