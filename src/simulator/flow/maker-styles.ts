// The market makers of a market, slowest first: who acts last sees the others' new quotes and closes the spread.
import type { MakerStyle } from './maker.ts';

const K = 1_000;

export const MAKER_STYLES: readonly MakerStyle[] = [
  { name: 'outer', lagSeconds: 1.6, levels: 10, distance: 6, distanceGrowth: 1.36, notional: 22 * K, notionalGrowth: 1.25, limit: 600 * K },
  { name: 'slow', lagSeconds: 0.8, levels: 9, distance: 3.5, distanceGrowth: 1.42, notional: 16 * K, notionalGrowth: 1.25, limit: 500 * K },
  { name: 'steady', lagSeconds: 0.4, levels: 8, distance: 2, distanceGrowth: 1.5, notional: 12 * K, notionalGrowth: 1.3, limit: 400 * K },
  { name: 'middle', lagSeconds: 0.2, levels: 8, distance: 1.1, distanceGrowth: 1.6, notional: 9 * K, notionalGrowth: 1.3, limit: 300 * K },
  { name: 'near', lagSeconds: 0.05, levels: 7, distance: 0.35, distanceGrowth: 2, notional: 7 * K, notionalGrowth: 1.35, limit: 250 * K },
  { name: 'touch', lagSeconds: 0, levels: 5, distance: 0.012, distanceGrowth: 3.5, notional: 5 * K, notionalGrowth: 1.3, limit: 200 * K },
];
