// The market makers of a market, slowest first: the last to act sees the others' new quotes and closes the spread.

/** The parameters of a maker. Distances in basis points, money in quote units. A series is a first value and the factor to each next one. */
export interface MakerStyle {
  readonly name: string;
  /** Time constant in seconds with which its view follows the fair price; 0 for no delay. */
  readonly lagSeconds: number;
  /** Share of the steps in which it checks its quotes. */
  readonly attention: number;
  readonly levels: number;
  /** The distance of each level from the view, nearest first. */
  readonly distances: Series;
  /** The value of each level, nearest first. */
  readonly notionals: Series;
  /** The position at which it quotes only its smallest size. */
  readonly limit: number;
  /** Orders at each level; default 1. */
  readonly orders?: number | undefined;
  /** Standard deviation of the logarithms of its sizes; default 0.5. */
  readonly sizeDeviation?: number | undefined;
  /** A random process of the logarithm of a factor on all sizes of a side, so that queues grow and shrink; default: none. */
  readonly sizeVariation?: { readonly deviation: number; readonly seconds: number } | undefined;
  /** Its quotes stay while its view is within this many basis points of the view at placement; default 0. */
  readonly hold?: number | undefined;
  /** Share of correct quotes that are renewed at each check anyway, more when more is traded; default 0.008. */
  readonly renewal?: number | undefined;
}

export interface Series {
  readonly first: number;
  readonly factor: number;
}

/** The slowest maker, far from the best price. */
const OUTER: MakerStyle = {
  name: 'outer',
  lagSeconds: 1.6,
  attention: 0.3,
  levels: 10,
  distances: { first: 6, factor: 1.36 },
  notionals: { first: 22_000, factor: 1.25 },
  limit: 600_000,
};

/** Makers with about equal size at each level. */
export const EVEN_BOOK: readonly MakerStyle[] = [
  OUTER,
  {
    name: 'slow',
    lagSeconds: 0.8,
    attention: 0.4,
    levels: 9,
    distances: { first: 3.5, factor: 1.42 },
    notionals: { first: 16_000, factor: 1.25 },
    limit: 500_000,
  },
  {
    name: 'steady',
    lagSeconds: 0.4,
    attention: 0.5,
    levels: 8,
    distances: { first: 2, factor: 1.5 },
    notionals: { first: 12_000, factor: 1.3 },
    limit: 400_000,
  },
  {
    name: 'middle',
    lagSeconds: 0.2,
    attention: 0.5,
    levels: 8,
    distances: { first: 1.1, factor: 1.6 },
    notionals: { first: 9_000, factor: 1.3 },
    limit: 300_000,
  },
  {
    name: 'near',
    lagSeconds: 0.05,
    attention: 0.5,
    levels: 7,
    distances: { first: 0.35, factor: 2 },
    notionals: { first: 7_000, factor: 1.35 },
    limit: 250_000,
  },
  {
    name: 'touch',
    lagSeconds: 0,
    attention: 1,
    levels: 3,
    distances: { first: 0.012, factor: 6 },
    notionals: { first: 5_000, factor: 1.3 },
    limit: 200_000,
  },
];

/** Makers as in recorded books: most size at the best price, in a queue of many orders that stays for a while, and little behind it. */
export const RECORDED_BOOK: readonly MakerStyle[] = [
  OUTER,
  {
    name: 'middle',
    lagSeconds: 0.4,
    attention: 0.4,
    levels: 8,
    distances: { first: 1, factor: 1.5 },
    notionals: { first: 8_000, factor: 1.3 },
    limit: 400_000,
    renewal: 0.15,
  },
  {
    name: 'behind',
    lagSeconds: 0,
    attention: 1,
    levels: 8,
    distances: { first: 0.16, factor: 1.3 },
    notionals: { first: 1_500, factor: 0.9 },
    limit: 2_000_000,
    sizeDeviation: 1.2,
    hold: 0.04,
    renewal: 0.3,
  },
  {
    name: 'touch',
    lagSeconds: 0,
    attention: 1,
    levels: 1,
    distances: { first: 0.0005, factor: 1 },
    notionals: { first: 1_200, factor: 1 },
    limit: 2_000_000,
    orders: 24,
    sizeDeviation: 1.5,
    sizeVariation: { deviation: 0.6, seconds: 5 },
    hold: 0.12,
    renewal: 0.06,
  },
];
