// The limits of a tortured run: those of the configuration's defaults, but where a seed polls more slowly than they allow for.
import { memoizeLast } from '../base/memoize-last.ts';
import { loadConfig } from '../run/core/config.ts';
import type { Options } from './plan/options.ts';

/** How old what an order is based on may be, by the path that it comes from; in milliseconds. */
export const DATA_AGES = ({ polling }: Pick<Options, 'polling'>) => ({
  book: Math.max(3_000, 3 * polling.orderBookMs),
  live: Math.max(5_000, 3 * polling.liveMs),
  account: Math.max(5_000, 3 * polling.accountMs),
});

/** Every process of a run is started with the same ones. */
export const limitsOf = memoizeLast((options: Options): Readonly<{ [guard: string]: unknown }> => {
  const { book, live, account } = DATA_AGES(options);
  const sets = [
    `limits.data-age.bookMs=${book}`,
    `limits.data-age.infoMs=${live}`,
    `limits.data-age.accountMs=${account}`,
    `limits.position.maxNotional=${options.maxPosition}`,
  ];
  return loadConfig({ file: undefined, sets }).limits;
});
