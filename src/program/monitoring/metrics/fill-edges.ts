// Measures our fills against the mid price: the spread captured, and the markouts after 1, 10 and 60 s, as the report defines them
// (`research/report/figures/trades/fill-quality.ts`). Sums since this process began.
import { Gauge, type Registry } from 'prom-client';
import { type Millis, SECOND } from '../../../base/clock.ts';
import { signOf } from '../../../bot/domain/book.ts';
import type { MarketId } from '../../../bot/domain/ids.ts';
import { type Market, midOf } from '../../../bot/domain/market.ts';
import { lots, MICROS_PER_UNIT } from '../../../bot/domain/numbers.ts';
import type { Fill } from '../../../bot/domain/order.ts';
import type { Turn } from '../../../bot/domain/turn.ts';
import { HORIZONS_MS } from '../../../research/report/figures/trades/fill-quality.ts';
import type { RunWatch } from '../watch.ts';

/** A mid price older than this says nothing about a fill. */
const FRESH: Millis = 5 * SECOND;
/** How long mid prices are kept: a fill that is read late needs those until its last markout. */
const KEPT: Millis = 2 * HORIZONS_MS[2];

interface Mid {
  readonly at: Millis;
  readonly mid: number;
}

/** A markout that is not due yet. */
interface PendingMarkout {
  readonly market: MarketId;
  readonly due: Millis;
  readonly horizon: Millis;
  readonly mid: number;
  /** In base tokens; positive for a purchase, negative for a sale. */
  readonly size: number;
}

/** Adds an amount in quote tokens. */
type Sum = (amount: number, labels?: { readonly after?: string }) => void;

/** Counts in whole millionths of a quote token, because a sum of fractions shows the errors of their last digits. */
function sumIn(gauge: Gauge<'after'>): Sum {
  const sums = new Map<string, number>();
  return (amount, labels = {}) => {
    const key = labels.after ?? '';
    const sum = (sums.get(key) ?? 0) + Math.round(amount * MICROS_PER_UNIT);
    sums.set(key, sum);
    gauge.set(labels, sum / MICROS_PER_UNIT);
  };
}

/** Returns a function that takes each turn, after the watch was updated. A fill without a fresh mid price is not measured. */
export function fillEdgesIn(registry: Registry, prefix: string): (turn: Turn, watch: RunWatch) => void {
  const sum = (name: string, help: string, labelNames: readonly 'after'[] = []): Sum =>
    sumIn(new Gauge({ name: `${prefix}${name}`, help, labelNames: [...labelNames], registers: [registry] }));
  const addSpread = sum(
    'spread_captured',
    'Sum over fills of size and distance of the price from the mid price, quote tokens; negative if paid',
  );
  const addSpreadVolume = sum('spread_notional', 'Volume of the fills in spread_captured, quote tokens');
  const addMarkout = sum('markout', 'Sum over fills of size and move of the mid price afterwards in our favour, quote tokens', ['after']);
  const addMarkoutVolume = sum('markout_notional', 'Volume of the fills in markout, quote tokens', ['after']);
  const mids = new Map<MarketId, Mid[]>();
  let waiting: readonly PendingMarkout[] = [];

  const midAt = (market: MarketId, time: Millis, maxAge: Millis): number | undefined => {
    const found = mids.get(market)?.findLast(({ at }) => at <= time);
    return found !== undefined && time - found.at <= maxAge ? found.mid : undefined;
  };
  const countSpread = ({ side, price, size, market: id }: Fill, market: Market, time: Millis): void => {
    const mid = midAt(id, time, FRESH);
    if (mid === undefined) return;
    const bought = signOf(side) * market.size(lots(size));
    addSpread(bought * (mid - market.price(price)));
    addSpreadVolume(Math.abs(bought) * mid);
    waiting = [...waiting, ...HORIZONS_MS.map((horizon) => ({ market: id, due: time + horizon, horizon, mid, size: bought }))];
  };
  const countMarkout = ({ market, due, horizon, size, mid }: PendingMarkout): void => {
    const midThen = midAt(market, due, Math.min(horizon, FRESH));
    if (midThen === undefined) return;
    const after = `${horizon / SECOND}s`;
    addMarkout(size * (midThen - mid), { after });
    addMarkoutVolume(Math.abs(size) * mid, { after });
  };
  return ({ at, events, fills }, { markets, exchangeClock }) => {
    for (const event of events) {
      const market = event.kind === 'bookSeen' ? markets.get(event.book.market)?.market : undefined;
      const mid = event.kind === 'bookSeen' && market !== undefined ? midOf(market, event.book) : undefined;
      if (market !== undefined && mid !== undefined) remember(mids, market.id, { at: event.at, mid });
    }
    for (const fill of fills) {
      const market = markets.get(fill.market)?.market;
      if (market !== undefined) countSpread(fill, market, exchangeClock.ours(fill.time, { until: at }));
    }
    const due = waiting.filter((markout) => markout.due <= at);
    if (due.length === 0) return;
    waiting = waiting.filter((markout) => markout.due > at);
    due.forEach(countMarkout);
  };
}

function remember(mids: Map<MarketId, Mid[]>, market: MarketId, mid: Mid): void {
  const kept = mids.get(market) ?? [];
  mids.set(market, kept);
  kept.push(mid);
  if (kept[0]!.at < mid.at - 2 * KEPT)
    kept.splice(
      0,
      kept.findIndex(({ at }) => at >= mid.at - KEPT),
    );
}
