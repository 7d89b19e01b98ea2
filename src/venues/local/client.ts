// The client of the account of the local process.
import { assert } from '../../base/errors.ts';
import type { VenueClient } from '../../bot/exchange/kit/venue-client.ts';
import { tradesWithoutIds } from '../shared/pages-without-ids.ts';
import { prepareUnsigned } from '../shared/prepare-unsigned.ts';
import { accountIdOf, accountOf, readAccountSnapshot } from './account-snapshot.ts';
import { LocalOrders } from './placing.ts';
import { type LocalVenueOptions, localMarkets } from './public-client.ts';
import { areFixedRates, fillOf, type ReportedFees } from './snapshots.ts';

const FEES_UNKNOWN =
  'the process reports a maker fee of 0 and a taker fee of 0.001, as one of its versions does for every account: fees and profit are computed with these rates and may differ from the charged fees';

/** Returns the client of the account, for the markets of these symbols. */
export function localVenueClient(options: LocalVenueOptions): VenueClient {
  const { client, clock, log } = options;
  const { data, listing, listedAs } = localMarkets(options);
  const orders = new LocalOrders({ client, clock });
  const prepare = prepareUnsigned({
    rules: data.rules,
    place: (order, market) => orders.place(order, listedAs(market)),
    cancel: (order) => orders.cancel(order),
  });
  /** The fee rates of the newest account. */
  let rates: ReportedFees | undefined;
  return {
    ...data,
    owner() {
      const { account } = listing();
      rates = account;
      if (areFixedRates(account)) log.warn(FEES_UNKNOWN);
      return Promise.resolve(accountIdOf(account));
    },
    async account() {
      const snapshot = await readAccountSnapshot(client);
      rates = snapshot.account;
      return accountOf(snapshot, listing());
    },
    fills: (markets) =>
      markets.map(listedAs).map((one) => ({
        ...tradesWithoutIds({
          what: 'GET /orders/history',
          rows: () => client.history({ market: one.name }),
          contentOf: ({ time, side, price, size, liquidity }) => [one.name, Date.parse(time), side, price, size, liquidity].join('|'),
          map: (row, tradeId) => fillOf(one, row, { tradeId, rates: rates ?? listing().account }),
        }),
        has: ({ market = one.market.id }) => market === one.market.id,
      })),
    prepare(actions, context) {
      const isAllOrNone = actions.some((action) => action.kind === 'place' && action.fillMode === 'FILL_OR_KILL');
      assert(!isAllOrNone, 'the local process has no fill-or-kill orders');
      return prepare(actions, context);
    },
    observe: (event) => orders.observe(event),
    events: orders.events,
    faults: orders.faults,
  };
}
