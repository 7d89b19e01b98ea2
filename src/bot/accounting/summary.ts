// The summary of a run: the last line of its JSON output.
import type { Account } from '../domain/account.ts';
import { type MarketTotals, NO_TOTALS, type RunTotals } from '../domain/accounting/run-totals.ts';
import type { MarketId } from '../domain/ids.ts';
import type { Market, MarketKind } from '../domain/market.ts';
import type { Mode } from '../domain/mode.ts';
import { lots, micros } from '../domain/numbers.ts';
import type { Order } from '../domain/order.ts';
import { moneyText } from './lines.ts';
import type { OrderCounts } from './run-counts.ts';
import type { TurnCounts } from './turn-causes.ts';

/** Money, prices and sizes are decimal text. */
export interface Summary extends TurnCounts {
  readonly kind: 'summary';
  readonly run: string;
  readonly strategy: string;
  readonly exchange: string;
  /** True for a paper run: nothing was sent, and the fills are simulated on the exchange's live data. */
  readonly paper?: true | undefined;
  /** Measured time from request to answer, in milliseconds; only of a paper run that measured it. */
  readonly latency?: MeasuredLatency | undefined;
  /** What the data of a paper run is worth, as sentences. */
  readonly quality?: string | undefined;
  /** The tapes that a paper run recorded: file by market. */
  readonly tapes?: Readonly<Record<string, string>> | undefined;
  /** Running time of this process. */
  readonly seconds: number;
  /** By how much the embedded exchange stayed behind the clock, because the machine was too busy; absent if it did not. */
  readonly exchangeBehindSeconds?: number | undefined;
  readonly orders: {
    readonly placed: number;
    readonly cancelled: number;
    readonly rejected: number;
    /** Orders with an unknown state at the exchange. */
    readonly unknown: number;
    readonly openAtExit: number;
  };
  readonly fills: number;
  /** Number of fills that count with a substitute for an impossible price or fee; absent if there are none. */
  readonly provisional?: number | undefined;
  readonly volume: string;
  readonly fees: string;
  readonly funding: string;
  /** Of the whole run, as its loss limits count it. */
  readonly pnl: string;
  /** Position by symbol; a market that is absent is flat. */
  readonly positions: Readonly<Record<string, string>>;
  /** The traded markets by symbol. Their money and fills add up to those of the run. */
  readonly markets: Readonly<Record<string, SummaryPart & { readonly kind: MarketKind }>>;
  /** Totals of each strategy, by name. A run has one strategy, which has the totals of the run. `unowned`: what belongs to no strategy, in a run nothing. */
  readonly strategies: Readonly<Record<string, SummaryPart>>;
  readonly unowned: SummaryPart;
  /** The mode of the run and its reason; absent in mode `active`. */
  readonly mode?: Mode | undefined;
  readonly modeReason?: string | undefined;
  readonly findings: Readonly<Record<string, number>>;
  /** SHA-256 of all actions of this process. */
  readonly fingerprint: string;
}

/** A part of the run's totals. */
export type SummaryPart = Pick<Summary, 'pnl' | 'fees' | 'funding' | 'volume' | 'fills' | 'positions'>;

/** Milliseconds from a request to its answer. */
export interface MeasuredLatency {
  readonly requests: number;
  readonly median: number;
  readonly p99: number;
}

export interface SummaryParts {
  readonly run: string;
  readonly strategy: string;
  readonly exchange: string;
  readonly seconds: number;
  /** Default 0. */
  readonly exchangeBehindSeconds?: number;
  readonly turns: TurnCounts;
  readonly counts: OrderCounts;
  readonly totals: RunTotals;
  /** The part of each market, as far as it is known of single markets. */
  readonly byMarket: ReadonlyMap<MarketId, MarketTotals>;
  readonly orders: readonly Order[];
  readonly account: Account | undefined;
  readonly markets: readonly Market[];
  readonly mode?: Mode | undefined;
  readonly modeReason?: string | undefined;
  readonly quality?: string | undefined;
  readonly fingerprint: string;
}

export function summaryOf({
  run,
  strategy,
  exchange,
  seconds,
  exchangeBehindSeconds = 0,
  turns,
  counts,
  totals,
  byMarket,
  orders,
  account,
  markets,
  mode,
  modeReason,
  quality,
  fingerprint,
}: SummaryParts): Summary {
  const unknown = orders.filter(({ status }) => status === 'unknown').length;
  const { placed, cancelled, rejected, findings } = counts;
  const { provisional } = totals;
  const positions = positionsOf(account, markets);
  const all = partOf(totals, positions);
  return {
    kind: 'summary',
    run,
    strategy,
    exchange,
    ...(quality !== undefined && { quality }),
    seconds: tenths(seconds),
    ...(exchangeBehindSeconds > 0 && { exchangeBehindSeconds: tenths(exchangeBehindSeconds) }),
    ...turns,
    orders: { placed, cancelled, rejected, unknown, openAtExit: orders.length - unknown },
    ...all,
    ...(provisional > 0 && { provisional }),
    markets: partsOf({ markets, totals, byMarket, positions }),
    strategies: { [strategy]: all },
    unowned: partOf(NO_TOTALS, {}),
    ...(mode !== undefined && mode !== 'active' && { mode, modeReason }),
    findings,
    fingerprint,
  };
}

const partOf = ({ profit, fees, funding, volume, fills }: MarketTotals, positions: Summary['positions']): SummaryPart => ({
  fills,
  volume: moneyText(volume),
  fees: moneyText(fees),
  funding: moneyText(funding),
  pnl: moneyText(profit),
  positions,
});

type MarketParts = Pick<SummaryParts, 'markets' | 'totals' | 'byMarket'> & Pick<Summary, 'positions'>;

/** Returns the part of each market. The first one has what is not known of single markets, so that the parts add up to the totals. */
function partsOf({ markets, totals, byMarket, positions }: MarketParts): Summary['markets'] {
  const unassigned: { funding: number; profit: number } = { funding: totals.funding, profit: totals.profit };
  for (const { funding, profit } of byMarket.values()) {
    unassigned.funding -= funding;
    unassigned.profit -= profit;
  }
  const parts = markets.map(({ id, symbol, spec }, index) => {
    const { funding, profit, ...sums } = byMarket.get(id) ?? NO_TOTALS;
    const [moreFunding, moreProfit] = index === 0 ? [unassigned.funding, unassigned.profit] : [0, 0];
    const money = { ...sums, funding: micros(funding + moreFunding), profit: micros(profit + moreProfit) };
    const held = positions[symbol];
    return [symbol, { kind: spec.kind, ...partOf(money, held === undefined ? {} : { [symbol]: held }) }] as const;
  });
  return Object.fromEntries(parts);
}

const tenths = (seconds: number): number => Math.round(seconds * 10) / 10;

/** Returns the account's positions by symbol, without those that no order can change: flat ones, and dust left by fees, smaller than the step of an order. */
export function positionsOf(account: Account | undefined, markets: readonly Market[]): Record<string, string> {
  const entries = markets.flatMap((market) => {
    const size = account?.positions.find((position) => position.market === market.id)?.size ?? lots(0);
    return market.orderSize(size) === 0 ? [] : [[market.symbol, market.sizeText(size)] as const];
  });
  return Object.fromEntries(entries);
}
