// Reduces the number of points for drawing and keeps the extremes. Never used for figures.

/** Approximate maximum number of points of a drawn line. */
export const DRAWN_POINTS = 2_000;

/**
 * Returns the rows to draw, ascending. If there are more than `points`, time is divided into equal intervals, and of each the first row and the rows
 * with the lowest and highest value of each column are kept. The first and the last row are always kept. NaN counts as neither low nor high.
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
