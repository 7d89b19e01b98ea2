// Order book bodies for the benches: the exchange's own, lengthened, shifted, or without the best levels.

type Levels = readonly (readonly [price: number, size: number])[];

export interface BookJson {
  readonly updateId: number;
  readonly bids: Levels;
  readonly asks: Levels;
}

const decoder = new TextDecoder();
const encoder = new TextEncoder();

export const parsed = (body: Uint8Array): BookJson => JSON.parse(decoder.decode(body)) as BookJson;

/** Adds levels behind the worst ones until the body has at least `bytes` bytes. */
export function lengthened(body: Uint8Array, bytes: number): Uint8Array {
  const { updateId, ...book } = parsed(body);
  const [bids, asks] = [[...book.bids], [...book.asks]];
  for (let length = body.length; length < bytes; ) {
    const levels = [behind(bids, -TICK), behind(asks, TICK)] as const;
    bids.push(levels[0]);
    asks.push(levels[1]);
    length += JSON.stringify(levels).length - 1; // a comma more for each level, without the brackets and the comma between them
  }
  return written({ updateId, bids, asks });
}

/** Removes the best levels of both sides. */
export function withoutBest(body: Uint8Array, count: number): Uint8Array {
  const { updateId, bids, asks } = parsed(body);
  return written({ updateId, bids: bids.slice(count), asks: asks.slice(count) });
}

/** Shifts all prices up by five units and raises the update number. */
export function raised(body: Uint8Array): Uint8Array {
  const { updateId, bids, asks } = parsed(body);
  return written({ updateId: updateId + 1, bids: up(bids), asks: up(asks) });
}

const TICK = 0.1;
const onTick = (price: number): number => Number(price.toFixed(1));
const up = (levels: Levels): Levels => levels.map(([price, size]) => [onTick(price + 5), size]);
const behind = (levels: Levels, step: number): Levels[number] => [onTick((levels.at(-1)?.[0] ?? 0) + step), 0.0123];
const written = (book: BookJson): Uint8Array => encoder.encode(JSON.stringify(book));
