// Fewer points for drawing, none of the extremes lost. Never for figures.

/** Points that a drawn line has at most, about. */
export const DRAWN_POINTS = 2_000;

/**
 * The rows to draw, ascending: all where they are few; else, of each of equal spans of time, its first row and those where a column is lowest and
 * highest. The first and the last row of all are among them. NaN is neither low nor high.
 */
export function thin(times: Float64Array, columns: readonly Float64Array[], points: number = DRAWN_POINTS): readonly number[] {
  const count = times.length;
  if (count <= points) return Array.from({ length: count }, (_, row) => row);
  const buckets = Math.max(1, Math.floor(points / (1 + 2 * columns.length)));
  const width = (times[count - 1]! - times[0]!) / buckets || 1;
  const bucketOf = (row: number): number => Math.min(buckets - 1, Math.floor((times[row]! - times[0]!) / width));
  const chosen: number[] = [];
  for (let start = 0; start < count; ) {
    let end = start + 1;
    while (end < count && bucketOf(end) === bucketOf(start)) end++;
    const extremes = columns.flatMap((column) => extremesOf(column, start, end));
    chosen.push(...[...new Set([start, ...extremes])].sort((a, b) => a - b));
    start = end;
  }
  if (chosen.at(-1) !== count - 1) chosen.push(count - 1);
  return chosen;
}

function extremesOf(column: Float64Array, start: number, end: number): number[] {
  let [lowest, highest] = [-1, -1];
  for (let row = start; row < end; row++) {
    const value = column[row]!;
    if (Number.isNaN(value)) continue;
    if (lowest === -1 || value < column[lowest]!) lowest = row;
    if (highest === -1 || value > column[highest]!) highest = row;
  }
  return lowest === -1 ? [] : [lowest, highest];
}
