// The lines of a turn: orders, fills, findings and alarms, with decimals as text. They are printed, journaled, and written as JSON.
import { assert } from '../../base/assert.ts';
import { scale, unscale } from '../../base/text/decimal.ts';
import type { MarketId } from '../../domain/ids.ts';
import type { Market } from '../../domain/market.ts';
import { type Micros, micros } from '../../domain/numbers.ts';
import type { Fill } from '../../domain/order.ts';
import type { Side } from '../../domain/side.ts';
import type { Alarm, Finding, LogRecord, OrderChange, Turn } from '../../domain/turn.ts';

interface LineAt {
  /** RFC 3339. */
  readonly at: string;
  /** The symbol. */
  readonly market?: string | undefined;
}

export interface OrderLine extends LineAt {
  readonly kind: 'order';
  readonly market: string;
  readonly clientOrderId: string;
  readonly orderId?: string | undefined;
  readonly side: Side;
  readonly price: string;
  readonly size: string;
  readonly fillMode: string;
  readonly status: OrderChange['status'];
  readonly reason?: string | undefined;
  /** For status `unknown`: the engine time in seconds after which the order can no longer execute. */
  readonly deadAfter?: number | undefined;
}

export interface FillLine extends LineAt {
  readonly kind: 'fill';
  readonly market: string;
  readonly side: Side;
  readonly price: string;
  readonly size: string;
  /** In quote money, positive if charged; absent if the exchange did not report it. */
  readonly fee?: string | undefined;
  readonly role: Fill['role'];
  /** Id of our order if known, else of the maker's. */
  readonly orderId: string;
  readonly tradeId: string;
  readonly clientOrderId?: string | undefined;
}

export interface FindingLine extends LineAt {
  readonly kind: 'finding';
  readonly guard: string;
  readonly side?: Side | undefined;
  readonly verdict: Finding['verdict'];
  readonly reason: string;
}

export interface AlarmLine extends LineAt {
  readonly kind: 'alarm';
  /** Name of the alarm. */
  readonly alarm: string;
  readonly reason: string;
}

/** What the strategy logged. Printed and written as JSON, but not journaled: the recording of the turns has it. */
export interface LogLine extends LineAt, LogRecord {
  readonly kind: 'log';
}

/** The lines that the journal keeps. */
export type JournalLine = OrderLine | FillLine | FindingLine | AlarmLine;
export type Line = JournalLine | LogLine;

export const moneyText = (amount: Micros): string => unscale(amount, 6).replace(/(\.\d\d\d*?)0+$/, '$1');
export const timeText = (at: number): string => new Date(at).toISOString();

const NO_LINES: readonly JournalLine[] = [];
const NO_LOGS: readonly LogLine[] = [];

/** Returns the lines that the strategy logged in a turn. */
export function logLinesOf({ at, logs }: Pick<Turn, 'at' | 'logs'>): readonly LogLine[] {
  return logs === undefined ? NO_LOGS : logs.map((record) => ({ kind: 'log', at: timeText(at), ...record }));
}

/** Returns the lines of one turn that the journal keeps. Fills come before order changes, because nothing follows the end of an order. */
export function linesOf(turn: Turn, markets: ReadonlyMap<MarketId, Market>): readonly JournalLine[] {
  if (turn.fills.length + turn.changes.length + turn.findings.length + turn.alarms.length === 0) return NO_LINES;
  const at = timeText(turn.at);
  const lines: JournalLine[] = [];
  for (const fill of turn.fills) lines.push(fillLine(fill, marketOf(fill.market, markets)));
  for (const change of turn.changes) lines.push(orderLine(change, { at, market: marketOf(change.order.market, markets) }));
  for (const finding of turn.findings) {
    lines.push(findingLine(finding, { at, market: finding.market === undefined ? undefined : marketOf(finding.market, markets) }));
  }
  for (const alarm of turn.alarms) {
    lines.push(alarmLine(alarm, { at, market: alarm.market === undefined ? undefined : marketOf(alarm.market, markets) }));
  }
  return lines;
}

function marketOf(id: MarketId, markets: ReadonlyMap<MarketId, Market>): Market {
  const market = markets.get(id);
  assert(market !== undefined, `market ${id} is not one of this run's`);
  return market;
}

function orderLine({ order, status, reason }: OrderChange, { at, market }: { at: string; market: Market }): OrderLine {
  const { clientOrderId, orderId, side, fillMode, deadAfter } = order;
  const [price, size] = [market.priceText(order.price), market.sizeText(order.size)];
  return { kind: 'order', at, market: market.symbol, clientOrderId, orderId, side, price, size, fillMode, status, reason, deadAfter };
}

function fillLine(fill: Fill, market: Market): FillLine {
  const { side, role, orderId, tradeId, clientOrderId } = fill;
  const [price, size] = [market.priceText(fill.price), market.sizeText(fill.size)];
  const fee = fill.fee === undefined ? undefined : moneyText(fill.fee);
  return { kind: 'fill', at: timeText(fill.time), market: market.symbol, side, price, size, fee, role, orderId, tradeId, clientOrderId };
}

/** Returns the fill of a line of this market, without the id of its action, which lines do not have. */
export function fillOf(line: FillLine, market: Market): Omit<Fill, 'actionId'> {
  const { side, role, orderId, tradeId, clientOrderId } = line;
  const [price, size] = [market.parsePrice(line.price), market.parseSize(line.size)];
  const fee = line.fee === undefined ? undefined : micros(Number(scale(line.fee, 6, 'down') ?? 0n));
  return { tradeId, market: market.id, side, price, size, role, orderId, clientOrderId, time: Date.parse(line.at), fee };
}

function findingLine({ guard, side, verdict, reason }: Finding, { at, market }: { at: string; market: Market | undefined }): FindingLine {
  return { kind: 'finding', at, guard, market: market?.symbol, side, verdict, reason };
}

function alarmLine({ name, reason }: Alarm, { at, market }: { at: string; market: Market | undefined }): AlarmLine {
  return { kind: 'alarm', at, alarm: name, market: market?.symbol, reason };
}
