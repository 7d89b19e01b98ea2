// The positions and the worst-case positions: from the account, the trades that it may lack, and all orders that can still fill.
import { TransientMap } from '../../../base/collections/transient-map.ts';
import { type Account, type Balance, type Position, positionIn, type RestingOrder } from '../../domain/account.ts';
import type { AccountSeen, FillsSeen, OrderOpened } from '../../domain/event.ts';
import type { MarketId, TokenId } from '../../domain/ids.ts';
import type { Market } from '../../domain/market.ts';
import { type Lots, lots, toDecimal } from '../../domain/numbers.ts';
import type { Order } from '../../domain/order.ts';
import { type Exposure, exposureOf, worstPosition } from '../exposure.ts';
import type { Attribution } from '../orders/attribution.ts';
import type { Orders } from '../orders/orders.ts';
import type { Revisions } from '../revisions.ts';
import { sameAccount, samePositionSizes } from '../same.ts';
import type { Seen } from '../seen.ts';
import type { Agreement } from './agreement.ts';
import { LateTrades } from './late-trades.ts';
import type { Bounds } from './market-agreement.ts';
import { type MissingAmounts, SpotFills } from './spot-fills.ts';

/** A cached exposure with the orders from which it was computed, ours and foreign. */
interface CachedExposure {
  readonly orders: readonly Order[];
  readonly leaving: readonly Order[];
  readonly foreign: readonly RestingOrder[];
  readonly exposure: Exposure;
  /** The bounds of the position that our fills explain, if the account may lack some of them. */
  readonly unconfirmed: Bounds | undefined;
}

export interface HoldingsParts {
  readonly orders: Orders;
  readonly attribution: Attribution;
  readonly agreement: Agreement;
  readonly markets: readonly Market[];
  readonly revisions: Revisions;
  /** False if an account is always right, so that the position that our fills explain need not be counted beside it. */
  readonly bindsAccounts: boolean;
}

const NO_BALANCES: readonly Balance[] = [];

export class Holdings {
  readonly #orders: Orders;
  readonly #revisions: Revisions;
  readonly #agreement: Agreement;
  readonly #attribution: Attribution;
  readonly #bindsAccounts: boolean;
  readonly #spot: ReadonlyMap<MarketId, { readonly market: Market; readonly fills: SpotFills }>;
  readonly #late = new LateTrades();
  readonly #exposures = new TransientMap<MarketId, CachedExposure>();
  readonly #counted = new TransientMap<MarketId, Lots>();
  readonly #markets: ReadonlySet<MarketId>;
  #hasOtherMarkets: boolean | undefined;
  #account: Seen<Account> | undefined;

  constructor({ orders, attribution, agreement, markets, revisions, bindsAccounts }: HoldingsParts) {
    this.#orders = orders;
    this.#agreement = agreement;
    this.#attribution = attribution;
    this.#bindsAccounts = bindsAccounts;
    this.#revisions = revisions;
    const spot = markets.filter(({ spec }) => spec.kind === 'spot');
    this.#markets = new Set(markets.map(({ id }) => id));
    this.#spot = new Map(spot.map((market) => [market.id, { market, fills: new SpotFills(market) }]));
  }

  /** Sets the positions that an earlier process knew. */
  inherit(positions: Iterable<readonly [MarketId, Lots]>): void {
    this.#late.inherit(positions);
  }

  get account(): Seen<Account> | undefined {
    return this.#account;
  }

  /** The position in the newest account; undefined when flat. */
  position(market: MarketId): Position | undefined {
    return this.#account && positionIn(this.#account.value.positions, market);
  }

  /** The position in the account; in a spot market, plus our trades that the account does not include yet. */
  held(market: MarketId): Lots {
    return lots(this.#shown(market) + (this.#lacking(market)?.base ?? 0));
  }

  /** The balances in the account plus our spot trades that it does not include yet. */
  balances(): readonly Balance[] {
    let balances = this.#account?.value.balances ?? NO_BALANCES;
    for (const { market } of this.#spot.values()) {
      const lacking = this.#lacking(market.id);
      if (lacking === undefined) continue;
      const { baseTokenId, quoteTokenId } = market.spec;
      balances = added(added(balances, baseTokenId, market.size(lacking.base)), quoteTokenId, toDecimal(lacking.quote));
    }
    return balances;
  }

  /** The largest position that the exchange has already counted in the account's margins: its position plus the larger side of the orders it lists. */
  countedInMargins(market: MarketId): Lots {
    const cached = this.#counted.get(market);
    if (cached !== undefined) return cached;
    const foreign = this.#account?.value.orders.filter((order) => order.market === market) ?? [];
    const counted = worstPosition(exposureOf({ held: this.#shown(market), late: { low: 0, high: 0 }, orders: [], foreign }));
    this.#counted.set(market, counted);
    return counted;
  }

  /** True if any position or order of the account is in a market that the run does not trade. */
  get hasOtherMarkets(): boolean {
    this.#hasOtherMarkets ??= this.#account !== undefined && isInOther(this.#markets, this.#account.value);
    return this.#hasOtherMarkets;
  }

  exposure(market: MarketId): Exposure {
    const orders = this.#orders.live(market);
    const cached = this.#exposures.get(market);
    const foreign = this.#orders.foreign.orders(market);
    const leaving = this.#orders.leaving(market);
    const unconfirmed = this.#unconfirmed(market);
    const isSame = cached?.orders === orders && cached.leaving === leaving && cached.foreign === foreign;
    if (isSame && sameBounds(cached.unconfirmed, unconfirmed)) return cached.exposure;
    const exposure = exposureOf({ held: this.#shown(market), late: this.#range(market), orders, foreign });
    this.#exposures.set(market, { orders, leaving, foreign, exposure, unconfirmed });
    return exposure;
  }

  /**
   * Takes an account. `evidence` is the same account with the request time that counts for our trades: earlier, if accounts of the exchange may lag. Nothing
   * changes if only its update number differs and it lacks no trade.
   */
  accountSeen(event: AccountSeen, evidence: AccountSeen): void {
    const before = this.#account?.value;
    const wasComplete = this.#late.isEmpty && !this.#differs();
    const same = before !== undefined && wasComplete && sameAccount(before, event.account);
    this.#account = { value: event.account, asked: event.asked, at: event.at };
    this.#late.accountSeen(evidence);
    if (same) return;
    this.#counted.clear();
    this.#hasOtherMarkets = undefined;
    this.#revisions.markChanged('account');
    if (wasComplete && before !== undefined && samePositionSizes(before, event.account)) return; // only the margins moved, with a price
    this.#markChanged();
  }

  /** Takes a receipt. Nothing changes if it reports no trade and no trade is late. */
  receiptSeen(order: Order, event: OrderOpened): void {
    const before = this.#late.isEmpty;
    this.#late.receiptSeen(order, event);
    if (!before || !this.#late.isEmpty) this.#markChanged();
  }

  filled(event: FillsSeen): void {
    for (const fill of event.fills) this.#spot.get(fill.market)?.fills.add(fill, event.at);
    this.#late.filled(event);
    if (event.fills.length > 0) this.#markChanged();
  }

  #markChanged(): void {
    this.#revisions.markChanged('exposure');
    this.#exposures.clear();
  }

  /**
   * Returns the bounds of what trades may have added to the position in the account. While our fills explain another position, the bounds include that
   * position. They also include what receipts and the open sizes of our orders, also of those that have just left the book, show beyond it. So an account
   * that lags or is wrong does not undo a trade, and an order counts as reducing only if it reduces both positions. Example: the account shows 0, our
   * fills explain 5, and a receipt reports 2 more that were bought: the bounds are 0 and 7.
   */
  #range(market: MarketId): { low: number; high: number } {
    const { low, high } = this.#late.range(market);
    const unconfirmed = this.#unconfirmed(market);
    if (unconfirmed === undefined || this.#account === undefined) return { low, high };
    const shown = this.#shown(market);
    const taken = { bid: 0, ask: 0 };
    for (const { side, size } of this.#late.unlisted(market)) taken[side] += size;
    const { bid, ask } = this.#attribution.unlistedIn([...this.#orders.live(market), ...this.#orders.leaving(market)]);
    return {
      low: Math.min(low, unconfirmed.low - shown - Math.max(taken.ask, ask)),
      high: Math.max(high, unconfirmed.high - shown + Math.max(taken.bid, bid)),
    };
  }

  /**
   * Returns the bounds of the position that our fills explain, or undefined if the account's position is accepted without them, or while
   * the baseline is unknown. In a spot market acceptance does not matter, because an accepted balance changes what our fills explain.
   */
  #unconfirmed(market: MarketId): Bounds | undefined {
    const isAccepted = this.#agreement.isAccepted(market) || (!this.#bindsAccounts && this.#late.accountIncludesAll(market));
    if (isAccepted && !this.#spot.has(market)) return undefined;
    if (this.#bindsAccounts) return this.#agreement.explainedWithin(market);
    const explained = this.#agreement.explained(market);
    return explained === undefined ? undefined : { low: explained, high: explained };
  }

  /** True if, in any market, our fills explain another position than the account shows and the account may lack some of them. */
  #differs(): boolean {
    for (const market of this.#markets) {
      const unconfirmed = this.#unconfirmed(market);
      if (unconfirmed === undefined) continue;
      const shown = this.#shown(market);
      if (unconfirmed.low !== shown || unconfirmed.high !== shown) return true;
    }
    return false;
  }

  #lacking(market: MarketId): MissingAmounts | undefined {
    const before = this.#spot.has(market) ? this.#agreement.baselines().get(market) : undefined;
    if (before === undefined || this.#account === undefined) return undefined;
    return this.#spot.get(market)?.fills.lacking({ held: this.#shown(market), before, unlisted: this.#late.unlisted(market) });
  }

  /** The position in the newest account. */
  #shown(market: MarketId): Lots {
    return this.position(market)?.size ?? lots(0);
  }
}

const sameBounds = (one: Bounds | undefined, other: Bounds | undefined): boolean => one?.low === other?.low && one?.high === other?.high;

function isInOther(markets: ReadonlySet<MarketId>, { positions, orders }: Account): boolean {
  for (const { market } of positions) if (!markets.has(market)) return true;
  for (const { market } of orders) if (!markets.has(market)) return true;
  return false;
}

const added = (balances: readonly Balance[], token: TokenId, amount: number): readonly Balance[] =>
  amount === 0
    ? balances
    : balances.map((balance) => (balance.tokenId === token ? { ...balance, amount: balance.amount + amount } : balance));
