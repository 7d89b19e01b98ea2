// Turns of a run, in decimals of BTCUSDC, with defaults for missing fields.

import type { Summary } from '../../../src/bot/accounting/summary.ts';
import type { Account, Position } from '../../../src/bot/domain/account.ts';
import type { Event } from '../../../src/bot/domain/event.ts';
import { lots, type Micros, micros, ticks } from '../../../src/bot/domain/numbers.ts';
import type { Fill, Order } from '../../../src/bot/domain/order.ts';
import type { Finding, OrderChange, Turn } from '../../../src/bot/domain/turn.ts';
import { Accounting } from '../../../src/bot/world/position/accounting.ts';
import { FRESH_MS } from '../../../src/research/report/figures/columns.ts';
import { ReportCollector, type ReportSeries } from '../../../src/research/report/figures/report-collector.ts';
import { BTC, ETH } from '../world-builder.ts';

export const T0 = Date.parse('2026-01-05T12:00:00Z');
export const money = (amount: number): Micros => micros(Math.round(amount * 1e6));
export const NO_ORDERS = { orders: () => [] };

export const turn = (event: Event, rest: Partial<Turn> = {}): Turn => ({
  at: event.at,
  events: [event],
  intents: [],
  findings: [],
  actions: [],
  changes: [],
  fills: [],
  alarms: [],
  ...rest,
});

/** Times in milliseconds after `T0`. */
export const bookTurn = (after: number, bid: number, ask: number, market = BTC): Turn => {
  const level = (price: number) => ({ price: market.ticksOf(price)!, size: lots(1) });
  const book = { market: market.id, updateId: '1', bids: [level(bid)], asks: [level(ask)] };
  return turn({ kind: 'bookSeen', at: T0 + after, asked: T0 + after, book });
};

/** In whole quote tokens; omf is mf by default. */
interface AccountNumbers {
  readonly mf: number;
  readonly omf?: number;
  readonly imf?: number;
  readonly cmf?: number;
  readonly mmf?: number;
  readonly pon?: number;
  readonly pn?: number;
  /** In BTC; `entry` is its entry price. */
  readonly position?: number;
  readonly entry?: number;
  readonly funding?: number;
}

export const accountTurn = (after: number, { mf, omf = mf, position = 0, entry, funding = 0, ...rest }: AccountNumbers): Turn => {
  const { imf = 0, cmf = 0, mmf = 0, pon = 0, pn = 0 } = rest;
  const size = lots(Math.round(position * 1e4));
  const held: Position = { market: 0, size, entry, tradingPnl: money(0), fundingPaymentPnl: money(funding), actionId: '1' };
  const account: Account = {
    id: 1,
    updateId: '1',
    balances: [],
    positions: [held],
    orders: [],
    margins: {
      omf: money(omf),
      mf: money(mf),
      imf: money(imf),
      cmf: money(cmf),
      mmf: money(mmf),
      pon: money(pon),
      pn: money(pn),
      bankruptcy: false,
    },
  };
  return turn({ kind: 'accountSeen', at: T0 + after, asked: T0 + after, account });
};

export const fillAt = (
  after: number,
  side: Fill['side'],
  price: number,
  size: number,
  { fee, ...rest }: Partial<Omit<Fill, 'fee'>> & { fee?: number | undefined } = {},
): Fill => ({
  tradeId: `t${after}`,
  actionId: '1',
  market: 0,
  side,
  price: ticks(Math.round(price * 10)),
  size: lots(Math.round(size * 1e4)),
  role: 'maker',
  fee: fee === undefined ? undefined : money(fee),
  orderId: 'o',
  clientOrderId: '7',
  time: T0 + after,
  ...rest,
});

export const fillsTurn = (after: number, ...fills: readonly Fill[]): Turn =>
  turn({ kind: 'fillsSeen', at: T0 + after, asked: T0 + after, fills }, { fills });

const timer = (after: number): Event => ({ kind: 'timerFired', at: T0 + after });
export const timerTurn = (after: number): Turn => turn(timer(after));
export const findingTurn = (after: number, finding: Finding): Turn => turn(timer(after), { findings: [finding] });
export const changeTurn = (after: number, status: OrderChange['status'], order: Order): Turn =>
  turn(timer(after), { changes: [{ order, status }] });

export const orderOf = (id: string, side: Order['side'], price: number, rest: Partial<Order> = {}): Order => ({
  clientOrderId: id,
  market: 0,
  side,
  price: ticks(Math.round(price * 10)),
  size: lots(10),
  remaining: lots(10),
  fillMode: 'POST_ONLY',
  status: 'open',
  sentAt: T0,
  touchedAt: T0,
  ...rest,
});

/** Returns the totals that the turn carries in a run. */
function totalsAfter({ events, fills, corrections = [] }: Turn, accounting: Accounting): Turn['totals'] {
  const { profit } = accounting;
  for (const event of events) if (event.kind === 'accountSeen') profit.accountSeen(event);
  profit.filled({ fills });
  for (const correction of corrections) profit.corrected(correction);
  return accounting.totals;
}

export function seriesOf(turns: Iterable<Turn>, { freshMs = FRESH_MS } = {}): ReportSeries {
  const collector = new ReportCollector({ markets: [BTC, ETH], freshMs });
  const accounting = new Accounting([BTC, ETH]);
  for (const each of turns) collector.see({ ...each, totals: totalsAfter(each, accounting) }, NO_ORDERS);
  return collector.collected();
}

const NOTHING = { fills: 0, volume: '0.00', fees: '0.00', funding: '0.00', pnl: '0.00', positions: {} };

export const summaryWith = (part: Partial<Summary> = {}): Summary => ({
  kind: 'summary',
  run: 'test',
  strategy: 'grid',
  exchange: 'backtest',
  seconds: 1,
  turns: 1,
  turnsBy: { acted: 0, refused: 0, held: 0, belowLot: 0, staleInput: 0, nothingReturned: 0, unchanged: 1 },
  heldBy: {},
  refusedBy: {},
  staleBy: {},
  orders: { placed: 0, cancelled: 0, rejected: 0, unknown: 0, openAtExit: 0 },
  fills: 0,
  volume: '0.00',
  fees: '0.00',
  funding: '0.00',
  pnl: '0.00',
  positions: {},
  markets: { BTCUSDC: { kind: 'perp', ...NOTHING } },
  strategies: { grid: NOTHING },
  unowned: NOTHING,
  findings: { margin: 0 },
  fingerprint: 'ab',
  ...part,
});
