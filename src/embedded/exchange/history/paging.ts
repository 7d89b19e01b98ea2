// Pages of long lists, newest first, with a cursor that stays valid while new rows arrive.

/** Maximum number of rows on a page. */
export const MAX_PAGE = 50;

export interface RowPage<Row> {
  readonly items: readonly Row[];
  /** The id of the first row of the next page; absent on the last. */
  readonly nextStartInclusive?: string | undefined;
}

/** Returns the first rows of those given: `size` of them, at most and by default fifty. */
export function pageOf<Row>(
  rows: Iterable<Row>,
  { size = MAX_PAGE, idOf }: { size?: number | undefined; idOf: (row: Row) => string },
): RowPage<Row> {
  const items: Row[] = [];
  for (const row of rows) {
    if (items.length === Math.min(size, MAX_PAGE)) return { items, nextStartInclusive: idOf(row) };
    items.push(row);
  }
  return { items };
}
