// The market makers of a market, slowest first: the last to act sees the others' new quotes and closes the spread.
import type { MakerStyle } from './maker.ts';

export const MAKER_STYLES: readonly MakerStyle[] = [
  {
    name: 'outer',
    lagSeconds: 1.6,
    attention: 0.3,
    levels: 10,
    distances: { first: 6, factor: 1.36 },
    notionals: { first: 22_000, factor: 1.25 },
    limit: 600_000,
  },
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
