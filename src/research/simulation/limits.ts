// The limits of a simulated run: the configuration's defaults, with greater ages of data for a seed that polls more slowly than they allow.
import { loadConfig } from '../../bot/run/core/config.ts';
import type { Options } from './plan/options.ts';

/** The greatest age of the data that an order is based on, by its endpoint; in milliseconds. */
export const dataAges = ({ polling }: Pick<Options, 'polling'>) => ({
  book: Math.max(3_000, 3 * polling.orderBookMs),
  live: Math.max(5_000, 3 * polling.liveMs),
  account: Math.max(5_000, 3 * polling.accountMs),
});

/** Every process of a run is started with the same limits. */
export function limitsOf(options: Options): Readonly<{ [guard: string]: unknown }> {
  const { book, live, account } = dataAges(options);
  const sets = [
    `limits.data-age.bookMs=${book}`,
    `limits.data-age.infoMs=${live}`,
    `limits.data-age.accountMs=${account}`,
    `limits.position.maxNotional=${options.maxPosition}`,
  ];
  return loadConfig({ file: undefined, sets }).limits;
}
