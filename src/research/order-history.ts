// The history of one order from journal and recordings: intent, guards, sent bytes, answers, fills.

import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Millis, SECOND } from '../base/clock.ts';
import { messageOf, UserError, unreachable } from '../base/errors.ts';
import { nodeDisk } from '../base/files/node-disk.ts';
import { timeText } from '../base/text/duration.ts';
import { JSON_LIMITS, readJson } from '../base/text/json.ts';
import { type CorrectionLine, type FillLine, type OrderLine, orderStatusWords } from '../bot/accounting/lines.ts';
import type { Event, TimeSeen } from '../bot/domain/event.ts';
import type { MarketId } from '../bot/domain/ids.ts';
import type { OrderIntent } from '../bot/domain/intent.ts';
import { Market } from '../bot/domain/market.ts';
import type { Turn } from '../bot/domain/turn.ts';
import { readJournal } from '../bot/journal/segment.ts';
import type { Entry, Sent } from '../bot/run/state/entries.ts';
import { readRecording, recordingsIn } from '../bot/run/state/turn-recorder.ts';
import { readHeader } from '../bot/run/state/turn-recording.ts';
import { ExchangeClock } from './exchange-clock.ts';

/** `at` in RFC 3339, by our clock. */
export interface Step {
  readonly at: string;
  readonly step: 'wanted' | 'guards' | 'withdrawn' | 'written' | 'answered' | 'fill';
  readonly text: string;
}

/** An order that matches the text. */
export interface FoundOrder {
  readonly clientOrderId: string;
  readonly orderId: string | undefined;
}

export interface ExplainedOrder extends FoundOrder {
  readonly kind: 'why';
  readonly run: string;
  readonly steps: readonly Step[];
}

/** Reads the history of an order from a state directory. Calls `report` for parts that could not be read. */
export async function explainOrder(
  order: string,
  { directory, run }: { readonly directory: string; readonly run: string },
  report: (text: string) => void = () => undefined,
): Promise<ExplainedOrder> {
  const { entries, damage } = readJournal<Entry>(nodeDisk(directory));
  for (const part of damage) report(`skipped a damaged part: ${part}`);
  const found = requireOne(ordersLike(entries, order), { order, run });
  const steps = await stepsOf(found, { entries, recordings: recordingsOf(directory, report) });
  return { kind: 'why', run, ...found, steps };
}

function requireOne(found: readonly FoundOrder[], { order, run }: { order: string; run: string }): FoundOrder {
  const [only, ...more] = found;
  if (only === undefined)
    throw noOrder(
      `the run ${run} has no order "${order}"`,
      'give its client order id or order id, or the beginning or end of one, its price, or: last',
    );
  if (more.length === 0) return only;
  const some = found
    .slice(0, 5)
    .map(({ clientOrderId, orderId }) => (orderId === undefined ? clientOrderId : `${clientOrderId} (order ${orderId})`));
  throw noOrder(`"${order}" matches ${found.length} orders: ${some.join(', ')}${found.length > 5 ? ', …' : ''}`, 'give more of the id');
}

const noOrder = (message: string, hint: string): UserError => new UserError({ code: 'order', message, hint });

/** Yields the lines of each recording, oldest first; damaged parts are reported and skipped. */
function* recordingsOf(directory: string, report: (text: string) => void): Iterable<AsyncIterable<string>> {
  for (const file of recordingsIn(readdirSync(directory))) yield soundLines(join(directory, file), report);
}

async function* soundLines(file: string, report: (text: string) => void): AsyncIterable<string> {
  try {
    yield* readRecording(file);
  } catch (error) {
    report(`skipped the damaged part of ${basename(file)}: ${messageOf(error)}`);
  }
}

/**
 * Returns the order with this id; for `last` the newest; else all whose client order id or order id begins or ends with the text; else the newest at
 * this price.
 */
export function ordersLike(entries: readonly Entry[], text: string): readonly FoundOrder[] {
  const orders = new Map<string, FoundOrder & { readonly price: string }>();
  for (const entry of entries) {
    if (entry.kind !== 'order') continue;
    const { clientOrderId, orderId = orders.get(entry.clientOrderId)?.orderId, price } = entry;
    orders.set(clientOrderId, { clientOrderId, orderId, price });
  }
  const all = [...orders.values()];
  if (text === 'last') return all.slice(-1).map(found);
  const exact = all.filter(({ clientOrderId, orderId }) => clientOrderId === text || orderId === text);
  if (exact.length > 0) return exact.map(found);
  const isLike = (id: string | undefined): boolean => id !== undefined && (id.startsWith(text) || id.endsWith(text));
  const like = all.filter(({ clientOrderId, orderId }) => isLike(clientOrderId) || isLike(orderId));
  const atPrice = all.filter(({ price }) => Number(price) === Number(text)).slice(-1);
  return (like.length > 0 ? like : atPrice).map(found);
}

const found = ({ clientOrderId, orderId }: FoundOrder): FoundOrder => ({ clientOrderId, orderId });

/**
 * Returns the steps in order of cause: by our time; at equal times the turn first, then the sent actions, the answers, the fills, and the order's end.
 * The time of a fill is the exchange's, so it is converted to ours, not before the order was sent and not after the fill was journaled.
 */
export async function stepsOf(
  { clientOrderId, orderId }: FoundOrder,
  { entries, recordings }: { entries: readonly Entry[]; recordings: Iterable<AsyncIterable<string>> },
): Promise<readonly Step[]> {
  const steps: Step[] = [];
  const fills: { readonly step: Step; readonly until: Millis | undefined }[] = [];
  for (const [index, entry] of entries.entries()) {
    if (entry.kind === 'order' && entry.clientOrderId === clientOrderId) steps.push(orderStep(entry));
    if (entry.kind === 'sent' && entry.clientOrderId === clientOrderId) steps.push(sentStep(entry));
    const isOurs =
      (entry.kind === 'fill' || entry.kind === 'correction') &&
      (entry.clientOrderId === clientOrderId || (orderId !== undefined && entry.orderId === orderId));
    if (isOurs) fills.push({ step: fillStep(entry), until: journaledBy(entries, index) });
  }
  const clock = new ExchangeClock();
  for (const lines of recordings) steps.push(...(await turnSteps(clientOrderId, { lines, clock })));
  const since = Math.min(...steps.map(({ at }) => Date.parse(at)));
  for (const { step, until } of fills) {
    const at = timeText(clock.ours(Date.parse(step.at), { since: Number.isFinite(since) ? since : undefined, until }));
    steps.push(at === step.at ? step : { ...step, at, text: `${step.text}, ${step.at} by the exchange's clock` });
  }
  return steps.toSorted(compareSteps);
}

const ORDER: readonly Step['step'][] = ['wanted', 'guards', 'withdrawn', 'written', 'answered', 'fill'];
const rank = ({ step, text }: Step): number => (step === 'answered' && text.startsWith('filled') ? ORDER.length : ORDER.indexOf(step));

function compareSteps(a: Step, b: Step): number {
  if (a.at === b.at) return rank(a) - rank(b);
  return a.at < b.at ? -1 : 1;
}

/** Returns the time of the first entry after `index` that is dated by our clock: the fill was read by then. */
function journaledBy(entries: readonly Entry[], index: number): Millis | undefined {
  const next = entries.slice(index + 1).find(({ kind }) => kind === 'order' || kind === 'finding' || kind === 'sent' || kind === 'process');
  return next !== undefined && 'at' in next ? Date.parse(next.at) : undefined;
}

function orderStep({ at, status, side, size, market, price, fillMode, orderId, reason, deadAfter }: OrderLine): Step {
  const words = status === 'placed' ? `placed: ${side} ${size} ${market} at ${price}, ${fillMode}` : orderStatusWords({ status, reason });
  const rest = [
    orderId === undefined ? undefined : `order ${orderId}`,
    reason,
    deadAfter === undefined ? undefined : `dead after ${engineTime(deadAfter)} by the exchange's clock`,
  ];
  return { at, step: status === 'placed' ? 'wanted' : 'answered', text: [words, ...rest.filter((part) => part !== undefined)].join(', ') };
}

function sentStep({ at, action, timestamp, nonce, deadAfter }: Sent): Step {
  const placement = timestamp === undefined ? 'before it was sent' : 'its bytes, before they left';
  const parts = [
    action === 'place' ? placement : `a ${action}`,
    timestamp === undefined ? 'not signed by this process' : `signed for ${engineTime(timestamp)} by the exchange's clock`,
    nonce === undefined ? undefined : `nonce ${nonce}`,
    deadAfter === undefined ? undefined : `dead after ${engineTime(deadAfter)}`,
  ];
  return { at, step: 'written', text: parts.filter((part) => part !== undefined).join(', ') };
}

/** Returns seconds of the exchange's clock as RFC 3339; as they are if they are no date. */
function engineTime(seconds: number): string {
  const at = new Date(seconds * SECOND);
  return Number.isNaN(at.getTime()) ? String(seconds) : at.toISOString().replace('.000Z', 'Z');
}

function fillStep({ kind, at, size, price, role, fee, tradeId, provisional }: FillLine | CorrectionLine): Step {
  const mark =
    provisional === undefined
      ? ''
      : `, provisional: the exchange reports a price of ${provisional.price} and a fee of ${provisional.fee ?? 'nothing'}`;
  const text = `${size} at ${price}, ${role}${fee === undefined ? '' : `, fee ${fee}`}, trade ${tradeId}${mark}`;
  return { at, step: 'fill', text: kind === 'fill' ? text : `corrected: ${text}` };
}

/** An event without nested objects; found in the text, because reading whole turns takes too long. */
const TIME_SEEN = /\{"kind":"timeSeen"[^{}]*\}/g;

/** Returns the steps from one segment of a recording: the turn that placed the order, and those that cancelled it. */
async function turnSteps(
  clientOrderId: string,
  { lines, clock }: { readonly lines: AsyncIterable<string>; readonly clock: ExchangeClock },
): Promise<readonly Step[]> {
  const named = `"clientOrderId":"${clientOrderId}"`;
  const acting: Turn[] = [];
  let head: string | undefined;
  for await (const line of lines) {
    for (const [event] of line.matchAll(TIME_SEEN)) clock.add(readJson(event, JSON_LIMITS.state) as TimeSeen);
    if (head === undefined) head = line;
    else if (line.includes(named)) {
      const turn = readJson(line, JSON_LIMITS.state) as Turn;
      if (turn.actions.some((action) => action.clientOrderId === clientOrderId)) acting.push(turn);
    }
  }
  if (head === undefined || acting.length === 0) return [];
  const markets = new Map(readHeader(head).markets.map((spec) => [spec.id, new Market(spec)]));
  return acting.flatMap((turn) =>
    turn.actions
      .filter((action) => action.clientOrderId === clientOrderId)
      .flatMap((action) => {
        const at = timeText(turn.at);
        const because = causeWords(turn.events, markets);
        if (action.kind === 'cancel')
          return [
            { at, step: 'withdrawn', text: `no longer wanted, after ${because}; ${intentWords(turn, action.market, markets)}` } as const,
          ];
        const wanted: Step = { at, step: 'wanted', text: `after ${because}; ${intentWords(turn, action.market, markets)}` };
        return [wanted, { at, step: 'guards', text: findingWords(turn, action.market) } as const];
      }),
  );
}

/** The first health of a stream is left out: its data is an event of the same turn. */
function causeWords(events: readonly Event[], markets: Markets): string {
  const causes = events.filter((event) => event.kind !== 'healthSeen' || !event.healthy);
  return [...new Set((causes.length > 0 ? causes : events).map((event) => eventWords(event, markets)))].join(', ');
}

export type Markets = ReadonlyMap<MarketId, Market>;

/** Returns an event as text for people. */
export function eventWords(event: Event, markets: Markets): string {
  const symbolOf = (id: MarketId | undefined): string => markets.get(id ?? -1)?.symbol ?? 'the exchange';
  switch (event.kind) {
    case 'bookSeen':
      return `an order book of ${symbolOf(event.book.market)}`;
    case 'tradesSeen':
      return `trades in ${symbolOf(event.market)}`;
    case 'candlesSeen':
      return `candles of ${symbolOf(event.market)}`;
    case 'infoSeen':
      return 'new prices and funding';
    case 'accountSeen':
      return 'a read of the account';
    case 'fillsSeen':
      return `${event.fills.length} of our own trades`;
    case 'orderOpened':
    case 'orderRejected':
    case 'orderUnknown':
    case 'cancelAnswered':
      return 'answers to our orders';
    case 'timeSeen':
      return "the exchange's time";
    case 'sessionSeen':
      return 'a session';
    case 'inputSeen':
      return `a value of the input ${event.name}`;
    case 'inputHealth':
      return `the input ${event.name}: ${event.reason}`;
    case 'healthSeen':
      return event.reason;
    case 'command':
      return event.command === 'allow' ? 'a new allowance by the limit of the fleet' : `a command: ${event.reason}`;
    case 'timerFired':
      return 'a second on the clock';
    case 'clockJumped':
      return `a clock jump of ${(event.by / 1_000).toFixed(1)} s`;
    default:
      return unreachable(event);
  }
}

function intentWords({ intents }: Turn, id: MarketId, markets: Markets): string {
  const intent = intents.find((candidate) => candidate.market === id);
  const market = markets.get(id);
  return intent === undefined || market === undefined ? 'no intent for this market' : `intent: ${desiredWords(intent, market)}`;
}

/** Returns an intent as text for people. */
export function desiredWords(intent: OrderIntent, market: Market): string {
  if (intent.kind === 'target') return `a position of ${market.sizeText(intent.position)} at ${market.priceText(intent.limit)} or better`;
  const side = (levels: typeof intent.bids): string =>
    levels.map(({ price, size }) => `${market.sizeText(size)}@${market.priceText(price)}`).join(' ') || 'none';
  return `bids ${side(intent.bids)}, asks ${side(intent.asks)}`;
}

function findingWords({ findings }: Turn, market: MarketId): string {
  const concerning = findings.filter((finding) => finding.market === undefined || finding.market === market);
  if (concerning.length === 0) return 'no new finding';
  return concerning
    .map(
      ({ guard, verdict, side, reason }) =>
        `${guard} ${verdict === 'stale' ? 'is stale' : `${verdict}s`}${side === undefined ? '' : ` ${side}s`}: ${reason}`,
    )
    .join('; ');
}
