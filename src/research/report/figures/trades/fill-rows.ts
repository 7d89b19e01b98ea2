// Our fills as rows with quality and realised profit, and the round trips that the fills form.

import { timeText } from '../../../../base/text/duration.ts';
import { moneyText } from '../../../../bot/accounting/lines.ts';
import type { MarketId } from '../../../../bot/domain/ids.ts';
import { toDecimal } from '../../../../bot/domain/numbers.ts';
import type { Fill } from '../../../../bot/domain/order.ts';
import type { MarketSeries, ReportSeries } from '../report-collector.ts';
import { type FillQuality, qualityOf } from './fill-quality.ts';
import { type RoundTrip, TripTracker } from './round-trips.ts';

export interface FillRow {
  /** RFC 3339, exchange time. */
  readonly at: string;
  /** The symbol. */
  readonly market: string;
  readonly side: Fill['side'];
  /** Decimal text. */
  readonly price: string;
  readonly size: string;
  readonly ticks: number;
  readonly lots: number;
  /** Quote money. */
  readonly notional: number;
  readonly role: Fill['role'];
  /** Set if the price or the fee is a substitute for an impossible one. */
  readonly provisional?: true | undefined;
  /** Decimal text; undefined if the exchange did not report it. */
  readonly fee: string | undefined;
  readonly quality: FillQuality;
  /** Realised profit after both fees; undefined if the fill closed nothing. */
  readonly realised: number | undefined;
  readonly orderId: string;
  readonly tradeId: string;
  readonly clientOrderId: string | undefined;
}

export interface Trades {
  /** The fills, oldest first. */
  readonly rows: readonly FillRow[];
  /** Closed round trips of all markets, by the time they were closed. */
  readonly trips: readonly RoundTrip[];
  /** Round trips that are not closed. */
  readonly openTrips: number;
}

export function tradesOf({ fills, markets, from }: ReportSeries): Trades {
  const tracked = new Map<MarketId, TrackedMarket>();
  for (const series of markets) tracked.set(series.market.id, { ...series, trips: new TripTracker(series, from) });
  const rows = fills.flatMap((fill) => {
    const market = tracked.get(fill.market);
    return market === undefined ? [] : [rowOf(fill, market)];
  });
  const trackers = [...tracked.values()].map(({ trips }) => trips);
  const trips = trackers.flatMap(({ closed }) => closed).sort((a, b) => a.closedAt - b.closedAt);
  return { rows, trips, openTrips: trackers.reduce((count, { open }) => count + open, 0) };
}

type TrackedMarket = MarketSeries & { readonly trips: TripTracker };

function rowOf(fill: Fill, { market, tops, trips }: TrackedMarket): FillRow {
  const { side, role, price, size, fee, orderId, tradeId, clientOrderId, provisional } = fill;
  return {
    at: timeText(fill.time),
    market: market.symbol,
    side,
    price: market.priceText(price),
    size: market.sizeText(size),
    ticks: price,
    lots: size,
    notional: toDecimal(market.notional(price, size)),
    role,
    ...(provisional !== undefined && { provisional: true }),
    fee: fee === undefined ? undefined : moneyText(fee),
    quality: qualityOf(fill, { market, tops }),
    realised: trips.fill(fill),
    orderId,
    tradeId,
    clientOrderId,
  };
}
