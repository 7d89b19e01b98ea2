// The lines of a turn: orders, fills, findings and alarms, with decimals as text. They are printed, journaled, and written as JSON.
import { assert } from '../../base/errors.ts';
import { scale, unscale } from '../../base/text/decimal.ts';
import { timeText } from '../../base/text/duration.ts';
import type { Side } from '../domain/book.ts';
import { type MarketId, NO_ACTION } from '../domain/ids.ts';
import type { Market } from '../domain/market.ts';
import { type Micros, micros } from '../domain/numbers.ts';
import { type Fill, type FillCorrection, isNotSent } from '../domain/order.ts';
import type { Alarm, Finding, LogRecord, OrderChange, Turn } from '../domain/turn.ts';

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
  /** True if the id may be another order's. */
  readonly uncertainId?: true | undefined;
  readonly side: Side;
  readonly price: string;
  readonly size: string;
  readonly fillMode: string;
  readonly status: OrderChange['status'];
  readonly reason?: string | undefined;
  /** For status `unknown`: the engine time in seconds after which the order can no longer execute. */
  readonly deadAfter?: number | undefined;
}

export interface FillLine extends FillText {
  readonly kind: 'fill';
}

/** A trade that is not booked, because it repeats a booked one. */
export interface UnbookedLine extends FillText {
  readonly kind: 'unbooked';
}

/** A fill that counts with another price or fee, or for another order, from now on. */
export interface CorrectionLine extends FillText {
  readonly kind: 'correction';
  readonly before: { readonly price: string; readonly fee?: string | undefined };
  readonly wasProvisional: boolean;
}

interface FillText extends LineAt {
  readonly market: string;
  readonly side: Side;
  readonly price: string;
  readonly size: string;
  /** In quote money, positive if charged; absent if the exchange did not report it. */
  readonly fee?: string | undefined;
  /** The part of the size that the exchange kept as its fee, in base tokens; `fee` is then its value. Absent if the fee is quote money. */
  readonly baseFee?: string | undefined;
  readonly role: Fill['role'];
  /** Id of our order if known, else of the maker's order in this trade. */
  readonly orderId: string;
  readonly tradeId: string;
  /** Id of the action that traded; absent in journals of earlier versions. */
  readonly actionId?: string | undefined;
  readonly clientOrderId?: string | undefined;
  /** Set if the exchange reported an impossible price or fee: what it reported, and the price of our order if known. */
  readonly provisional?: { readonly price: string; readonly fee?: string | undefined; readonly limit?: string | undefined } | undefined;
}

export interface FindingLine extends LineAt {
  readonly kind: 'finding';
  readonly guard: string;
  readonly side?: Side | undefined;
  /** `report`: nothing is held back, but a person should know. */
  readonly verdict: Finding['verdict'] | 'report';
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
export type JournalLine = OrderLine | FillLine | CorrectionLine | UnbookedLine | FindingLine | AlarmLine;
export type Line = JournalLine | LogLine;

export const moneyText = (amount: Micros): string => unscale(amount, 6).replace(/(\.\d\d\d*?)0+$/, '$1');

const NONE: readonly never[] = [];
const NO_LINES: readonly JournalLine[] = [];
const NO_LOGS: readonly LogLine[] = [];

/** Returns the lines that the strategy logged in a turn. */
export function logLinesOf({ at, logs }: Pick<Turn, 'at' | 'logs'>): readonly LogLine[] {
  return logs === undefined ? NO_LOGS : logs.map((record) => ({ kind: 'log', at: timeText(at), ...record }));
}

/** Returns the lines of one turn that the journal keeps. Fills come before order changes, because the line that closes an order must be its last. */
export function linesOf(turn: Turn, markets: ReadonlyMap<MarketId, Market>): readonly JournalLine[] {
  const { corrections = NONE, unbooked = NONE } = turn;
  const own = turn.fills.length + corrections.length + unbooked.length;
  if (own + turn.changes.length + turn.findings.length + turn.alarms.length === 0) return NO_LINES;
  const at = timeText(turn.at);
  const lines: JournalLine[] = [];
  for (const fill of turn.fills) lines.push({ kind: 'fill', ...fillText(fill, marketOf(fill.market, markets)) });
  for (const fill of unbooked) lines.push({ kind: 'unbooked', ...fillText(fill, marketOf(fill.market, markets)) });
  for (const correction of corrections) lines.push(correctionLine(correction, marketOf(correction.fill.market, markets)));
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
  const { clientOrderId, orderId, uncertainId, side, fillMode, deadAfter } = order;
  const [price, size] = [market.priceText(order.price), market.sizeText(order.size)];
  return {
    kind: 'order',
    at,
    market: market.symbol,
    clientOrderId,
    orderId,
    uncertainId,
    side,
    price,
    size,
    fillMode,
    status,
    reason,
    deadAfter,
  };
}

function fillText({ provisional: reported, ...fill }: Fill, market: Market): FillText {
  const { side, role, orderId, tradeId, actionId, clientOrderId } = fill;
  const [price, size] = [market.priceText(fill.price), market.sizeText(fill.size)];
  const fee = feeText(fill.fee);
  const limit = reported?.limit === undefined ? undefined : market.priceText(reported.limit);
  const provisional = reported && { price: market.priceText(reported.price), fee: feeText(reported.fee), limit };
  const ids = { orderId, tradeId, actionId, clientOrderId };
  const line = { at: timeText(fill.time), market: market.symbol, side, price, size, fee, role, ...ids, provisional };
  return fill.baseFee === undefined ? line : { ...line, baseFee: market.sizeText(fill.baseFee) };
}

function correctionLine({ fill, before, wasProvisional }: FillCorrection, market: Market): CorrectionLine {
  const [price, fee] = [market.priceText(before.price), feeText(before.fee)];
  return { kind: 'correction', ...fillText(fill, market), before: { price, fee }, wasProvisional };
}

const feeText = (fee: Micros | undefined): string | undefined => (fee === undefined ? undefined : moneyText(fee));
const feeOf = (text: string | undefined): Micros | undefined =>
  text === undefined ? undefined : micros(Number(scale(text, 6, 'down') ?? 0n));

/** Returns the fill of a line of this market. */
export function fillOf(line: FillLine | CorrectionLine, market: Market): Fill {
  const { side, role, orderId, tradeId, actionId = NO_ACTION, clientOrderId, provisional: reported } = line;
  const [price, size] = [market.parsePrice(line.price), market.parseSize(line.size)];
  const fill = {
    tradeId,
    actionId,
    market: market.id,
    side,
    price,
    size,
    role,
    orderId,
    clientOrderId,
    time: Date.parse(line.at),
    fee: feeOf(line.fee),
    ...(line.baseFee !== undefined && { baseFee: market.parseSize(line.baseFee) }),
  };
  if (reported === undefined) return fill;
  const limit = reported.limit === undefined ? undefined : market.parsePrice(reported.limit);
  return { ...fill, provisional: { price: market.parsePrice(reported.price), fee: feeOf(reported.fee), limit } };
}

/** Returns the status of an order as text for people. An order that a fault or a limit of ours kept from being sent is `not sent`, not `rejected`. */
export const orderStatusWords = ({ status, reason }: Pick<OrderLine, 'status' | 'reason'>): string =>
  status === 'rejected' && isNotSent(reason) ? 'not sent' : status;

/** Returns the correction of a line of this market. */
export function correctionOf(line: CorrectionLine, market: Market): FillCorrection {
  const { before, wasProvisional } = line;
  return { fill: fillOf(line, market), before: { price: market.parsePrice(before.price), fee: feeOf(before.fee) }, wasProvisional };
}

/** True if only the fill's order changed, not its price or fee. */
export const changesOrderOnly = ({ price, fee, before }: CorrectionLine): boolean => before.price === price && before.fee === fee;

/** Identifies a fill among the lines of a run. */
export const fillKey = ({ tradeId, side, orderId }: Pick<FillText, 'tradeId' | 'side' | 'orderId'>): string =>
  `${tradeId}/${side}/${orderId}`;

function findingLine({ guard, side, verdict, reason }: Finding, { at, market }: { at: string; market: Market | undefined }): FindingLine {
  return { kind: 'finding', at, guard, market: market?.symbol, side, verdict, reason };
}

function alarmLine({ name, reason }: Alarm, { at, market }: { at: string; market: Market | undefined }): AlarmLine {
  return { kind: 'alarm', at, alarm: name, market: market?.symbol, reason };
}
