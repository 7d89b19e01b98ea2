// Plays a recorded run as a backtest: the same strategy, configuration and seed, on a tape of the data that the run received, with its latencies.
import { type Millis, VirtualClock } from '../../base/clock.ts';
import { timeText } from '../../base/text/duration.ts';
import type { Account } from '../../bot/domain/account.ts';
import type { AccountId, MarketId } from '../../bot/domain/ids.ts';
import type { FeeRates, Market, MarketSpec } from '../../bot/domain/market.ts';
import { lots, micros } from '../../bot/domain/numbers.ts';
import type { Turn } from '../../bot/domain/turn.ts';
import { startTrading, type Trading } from '../../bot/run/core/trading.ts';
import type { State } from '../../bot/run/state/state.ts';
import type { RecordingHeader } from '../../bot/run/state/turn-recording.ts';
import { Exchange } from '../../embedded/exchange/exchange.ts';
import type { QueueModel } from '../../embedded/exchange/recorded/queue.ts';
import { RowFeed } from '../../embedded/exchange/recorded/recording.ts';
import { fundingOf } from '../../embedded/recording/market-rows.ts';
import { NO_STATE } from '../../embedded/recording/no-state.ts';
import { RowBuilder } from '../../embedded/rows/row-builder.ts';
import { STAMPS_PER_MILLI } from '../../embedded/rows/rows.ts';
import { RecordedRunVenue } from '../backtest/recorded-run-venue.ts';
import { MeasuredTrips } from './measured-trips.ts';
import type { OwnRecord } from './own-orders.ts';
import { deciderFor, type RecordedStrategy } from './replay.ts';
import { listingOf } from './turn-markets.ts';
import { TurnRows } from './turn-rows.ts';

/** How far turns are read ahead, because rows are sorted within ten seconds. */
const READ_AHEAD: Millis = 15_000;
const STEP: Millis = 1_000;
/** Disables the heartbeats of the played run, because the recorded ones are repeated. */
const NO_HEARTBEAT = 1e9;
/** Maximum time for a played run to close after the end of the recording; it is then ended. */
const CLOSING: Millis = 300_000;

export interface ParityPlayOptions {
  readonly header: RecordingHeader;
  readonly strategy: RecordedStrategy;
  /** The turns of the run, from the first, with markets numbered from 0. */
  readonly turns: () => AsyncIterable<Turn>;
  readonly record: OwnRecord;
  readonly queue: QueueModel;
  /** False if the tape has the data of the polls alone. */
  readonly evidence: boolean;
  /** The account as the run saw it first. */
  readonly start: Account;
  readonly fees?: FeeRates | undefined;
  /** Called with each played turn. */
  readonly watch: (turn: Turn) => void;
}

/** Plays the run to its end, or until the played run has closed. */
export async function playAsBacktest(
  options: ParityPlayOptions,
): Promise<{ readonly trading: Trading; readonly actionArrivals: ReadonlyMap<string, Millis> }> {
  const { header, record } = options;
  const clock = new VirtualClock(header.startedAt);
  const feeds = header.markets.map(() => new RowFeed());
  const { exchange, account } = exchangeOf(options, feeds);
  const { markets } = exchange; // its token ids are not those of the recording
  let trading: Trading | undefined;
  const venue = new RecordedRunVenue({
    exchange,
    clock,
    account,
    markets,
    trips: new MeasuredTrips(record),
    record,
    stop: (reason) => trading?.run.stop(reason),
  });
  trading = trade(options, { clock, venue, markets });
  const played = { hasEnded: false };
  trading.run.turns.subscribe({ next: options.watch, complete: () => void (played.hasEnded = true) });
  await drive(options, { clock, venue, feeds, markets, played, trading });
  venue.close();
  await trading.run.done;
  return { trading, actionArrivals: venue.actionArrivals };
}

/** Returns the exchange that plays the rows, and the account of the run on it. */
function exchangeOf({ header, queue, start, fees }: ParityPlayOptions, feeds: readonly RowFeed[]) {
  const exchange = new Exchange({
    seed: header.seed,
    start: header.startedAt - STEP,
    ...listingOf(header.markets, []),
    recordings: feeds.map((rows, at) => ({ rows, queue, fundingInterval: fundingOf(header.markets[at]!).fundingIntervalMs })),
    fees,
  });
  return { exchange, account: openAccount(exchange, start, header.markets) };
}

interface Tools {
  readonly clock: VirtualClock;
  readonly venue: RecordedRunVenue;
  readonly markets: readonly Market[];
}

function trade({ header, strategy }: ParityPlayOptions, { clock, venue }: Tools): Trading {
  const { seed, params, limits, live, foreign } = header;
  return startTrading({
    clock,
    venue: venue.venue,
    state: rememberingState(header),
    decide: deciderFor({ ...header, markets: header.markets.map((spec, id) => ({ ...spec, id })) }, strategy),
    limits: limits as Readonly<Record<string, unknown>>,
    params,
    seed,
    live,
    foreign: foreign === 'refuse' ? undefined : foreign,
    inputs: venue.inputs,
    pace: NO_HEARTBEAT,
    name: { run: 'played', strategy: header.strategy, exchange: 'embedded' },
  });
}

/** Returns a state with the strategy's memory at the start of the run. */
function rememberingState({ history: { memory }, startedAt }: RecordingHeader): State {
  const at = timeText(startedAt);
  const earlier = Object.entries(memory ?? {}).map(([name, value]) => ({ kind: 'memory', at, name, value }) as const);
  return { ...NO_STATE, earlier };
}

interface Driven extends Tools {
  readonly feeds: readonly RowFeed[];
  readonly played: { hasEnded: boolean };
  readonly trading: Trading;
}

/**
 * Passes the turns to the played run. Each turn is read READ_AHEAD before its time is played, because rows are sorted within ten seconds; the clock never goes
 * beyond the rows that are complete. After the last turn the played run is stopped, and gets CLOSING to end.
 */
async function drive(
  { turns, record, evidence }: ParityPlayOptions,
  { clock, venue, feeds, markets, played, trading }: Driven,
): Promise<void> {
  const builders = markets.map(() => new RowBuilder());
  const rows = new TurnRows({ record, evidence, markets, add: (market: MarketId, row) => builders[market]?.add(row) });
  const flush = (): void => {
    for (const [id, feed] of feeds.entries()) {
      const taken = builders[id]!.take();
      if (taken.count > 0) feed.push(taken);
    }
  };
  const advance = (until: Millis): void => {
    while (!played.hasEnded && clock.now() < until) clock.advanceTo(Math.min(until, clock.now() + STEP));
  };
  for await (const turn of turns()) {
    if (played.hasEnded) return;
    rows.see(turn);
    venue.plan(turn);
    flush();
    advance(Math.min(turn.at - READ_AHEAD, horizonOf(feeds)));
  }
  rows.end();
  flush();
  for (const feed of feeds) feed.end();
  venue.planRest(record.last);
  advance(record.last + STEP);
  if (trading.run.world.stopping === undefined) trading.run.endNow('the recording ends here');
  advance(record.last + CLOSING);
  if (!played.hasEnded) trading.run.endNow('the played run did not close in time');
  advance(record.last + 2 * CLOSING);
}

/** Returns the time up to which the rows of all markets are complete. */
const horizonOf = (feeds: readonly RowFeed[]): Millis =>
  Math.min(...feeds.map(({ covered }) => (covered === Number.NEGATIVE_INFINITY ? covered : Math.ceil(covered / STAMPS_PER_MILLI) - 1)));

/**
 * Opens the account that a played run begins with, and returns its id. It has the quote money, base tokens and positions of the recorded account. Funding
 * that was not settled yet counts as settled.
 */
function openAccount(exchange: Exchange, { balances, positions }: Account, specs: readonly MarketSpec[]): AccountId {
  const held = (token: number): number => balances.find(({ tokenId }) => tokenId === token)?.amount ?? 0;
  const unsettled = positions.reduce((sum, { fundingPaymentPnl }) => sum + fundingPaymentPnl, 0);
  const account = exchange.register('run', micros(Math.round(held(specs[0]?.quoteTokenId ?? 0) * 1e6) + unsettled));
  for (const market of exchange.markets) {
    const { id, spec } = market;
    const amount = spec.kind === 'spot' ? market.wholeLots(held(specs[id]!.baseTokenId)) : 0;
    if (amount > 0) {
      exchange.wallets.endow({ account, token: spec.baseTokenId, amount });
      exchange.wallets.deposit({ account, token: spec.baseTokenId, amount });
    }
    const { size = lots(0), entry } = positions.find((position) => position.market === id) ?? {};
    if (size !== 0 && entry !== undefined) exchange.hold(account, id, { size, cost: micros(Math.round(market.size(size) * entry * 1e6)) });
  }
  return account;
}

/** Why a process cannot be compared; undefined if it can. */
export function whyIncomparable({ history }: RecordingHeader, start: Account | undefined): string | undefined {
  if (start === undefined) return 'never received its account';
  if (history.orders.length > 0) return 'began with orders of the process before it, which did not end cleanly';
  const isHeld = start.positions.some(({ size, entry }) => size !== 0 && entry === undefined);
  return isHeld ? 'began with a position whose entry price is not known' : undefined;
}
