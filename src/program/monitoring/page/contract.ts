// The messages between the page and its server: the state of a run, events that change the state, and requests that stop a run or move a replay.
// Money, prices and sizes are decimal text; times are milliseconds since the Unix epoch, except those of lines, which are RFC 3339 as in --json.
import { z } from 'zod';
import { MODES } from '../../../bot/domain/mode.ts';
import { OUTCOMES } from '../../../bot/domain/outcome.ts';

const millis = z.number();
const decimal = z.string();
const side = z.enum(['bid', 'ask']);

/** Price and size; if we have an order at this price, also our size and the estimated size queued before our order. */
const levelShape = z.tuple([decimal, decimal]).rest(decimal);
const bookShape = z.object({
  market: z.string(),
  /** Start of the request. */
  asked: millis,
  /** Best first. */
  bids: z.array(levelShape),
  asks: z.array(levelShape),
});
const orderShape = z.object({
  clientOrderId: z.string(),
  orderId: z.string().optional(),
  market: z.string(),
  side,
  price: decimal,
  remaining: decimal,
  status: z.enum(['pending', 'open', 'cancelling', 'unknown']),
  sentAt: millis,
  /** Estimated size queued before the order. */
  ahead: decimal.optional(),
});
const heldShape = z.object({
  guard: z.string(),
  market: z.string().optional(),
  side: side.optional(),
  /** `stale`: an input of the strategy fails. */
  verdict: z.enum(['shrink', 'refuse', 'hold', 'stale']),
  since: millis,
  text: z.string(),
});
const holdingShape = z.object({
  entry: decimal.optional(),
  /** Unrealised profit, as reported by the exchange. */
  pnl: decimal,
  /** Mark price at which the position would be liquidated if no other price moved. */
  liquidation: decimal.optional(),
});
const marketStatusShape = z.object({
  mark: decimal.optional(),
  index: decimal.optional(),
  /** Funding rate, as a fraction per hour. */
  funding: z.number().optional(),
  nextFunding: millis.optional(),
  frozen: z.boolean(),
});
/** An intent in short: a quote has the number of levels on each side, a target its position. */
const intentShape = z.union([
  z.object({ market: z.string(), bids: z.number(), asks: z.number() }),
  z.object({ market: z.string(), position: decimal }),
]);
/** As in `Margins` of src/bot/domain/account.ts. */
const marginsShape = z.object({
  omf: decimal,
  mf: decimal,
  imf: decimal,
  cmf: decimal.optional(),
  mmf: decimal,
  pon: decimal,
  pn: decimal,
});
/** The fields of the status line of --json, and more. */
const statusShape = z.object({
  /** RFC 3339. */
  at: z.string(),
  turns: z.number(),
  mode: z.enum(MODES),
  modeReason: z.string().optional(),
  stopping: z.string().optional(),
  equity: decimal.optional(),
  pnl: decimal,
  /** `pnl = trading − fees + funding`. */
  trading: decimal,
  fees: decimal,
  funding: decimal,
  /** Profit since midnight UTC. */
  today: decimal,
  /** Maximum drawdown of the profit. */
  drawdown: decimal,
  volume: decimal,
  fills: z.number(),
  /** Number of fills that count with a substitute for an impossible price or fee; absent if there are none. */
  provisional: z.number().optional(),
  placed: z.number(),
  rejected: z.number(),
  openOrders: z.number(),
  /** Orders without a definite answer. */
  unknown: z.number(),
  /** Size by symbol; a market without a position is absent. */
  positions: z.record(z.string(), decimal),
  holdings: z.record(z.string(), holdingShape),
  markets: z.record(z.string(), marketStatusShape),
  margins: marginsShape.optional(),
  /** Margin use, 0 to 1. At 1: new orders are refused (`open`), orders are cancelled (`cancel`), positions are liquidated (`maintenance`). */
  shares: z.object({ open: z.number(), cancel: z.number().optional(), maintenance: z.number() }).optional(),
  /** When the newest account was requested. */
  accountAsked: millis.optional(),
  /** Age of that account at this status. */
  dataAgeMs: z.number().optional(),
  /** Reasons why a stream is unhealthy. */
  unhealthy: z.array(z.string()),
  /** The intents of the newest turn. */
  intents: z.array(intentShape),
  /** When the session expires, and the current time: both in seconds of the exchange's clock. */
  session: z.object({ expires: z.number(), now: z.number() }).optional(),
  watchdog: z.enum(['ok', 'silent', 'none']).optional(),
});
/** The kinds of the lines of --json that the page shows. */
const LINE_KINDS = ['order', 'fill', 'correction', 'unbooked', 'finding', 'alarm', 'log'] as const;
const lineShape = z.looseObject({ kind: z.enum(LINE_KINDS), at: z.string() });
/** Start, open, high, low, close, volume. */
const candleShape = z.tuple([millis, decimal, decimal, decimal, decimal, decimal]);
/** Time, equity, profit. */
const equityShape = z.tuple([millis, decimal, decimal]);
const periodTotals = {
  pnl: decimal,
  fills: z.number(),
  /** Number of closed round trips. */
  trips: z.number(),
  /** Number of round trips with a profit. */
  won: z.number(),
  /** Sum of the durations of the round trips. */
  heldMs: millis,
};
/** The profit of a run since its first turn: totals when it began, and at the end of each UTC day (`2026-01-31`), oldest first. */
export const historyShape = z.object({
  points: z.array(equityShape),
  start: z.object(periodTotals),
  days: z.array(z.object({ day: z.string(), ...periodTotals })),
});
const replayShape = z.object({ from: millis, to: millis, at: millis, speed: z.number(), playing: z.boolean() });

/** Events have consecutive numbers. */
const numbered = { seq: z.number() };
/** Changes of the state. Lines are those of --json. */
export const eventShape = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('turn'), ...numbered, at: millis, turns: z.number() }),
  z.object({ kind: z.literal('book'), ...numbered, ...bookShape.shape }),
  /** All our live orders, sent after one has changed. */
  z.object({ kind: z.literal('orders'), ...numbered, orders: z.array(orderShape) }),
  z.object({ kind: z.literal('status'), ...numbered, ...statusShape.shape }),
  z.object({ kind: z.literal('mode'), ...numbered, at: millis, mode: z.enum(MODES), reason: z.string() }),
  z.looseObject({ kind: z.enum(LINE_KINDS), ...numbered, at: z.string() }),
  z.object({ kind: z.literal('held'), ...numbered, ...heldShape.shape }),
  z.object({ kind: z.literal('released'), ...numbered, ...heldShape.omit({ since: true, text: true }).shape, at: millis }),
  z.object({ kind: z.literal('replay'), ...numbered, ...replayShape.shape }),
  /** The run has ended; no turn follows. */
  z.object({ kind: z.literal('end'), ...numbered, at: millis }),
]);

export const stateShape = z.object({
  /** The number of the last event that is part of this state. */
  seq: z.number(),
  /** The server's time. */
  now: millis,
  run: z.string(),
  strategy: z.string(),
  exchange: z.string(),
  live: z.boolean(),
  seed: z.string(),
  startedAt: millis,
  /** How good the market data is, e.g. that it is polled, as sentences; absent if nothing is to be said. */
  quality: z.string().optional(),
  versions: z.object({ tickwright: z.string() }),
  markets: z.array(z.object({ symbol: z.string(), priceDecimals: z.number(), tick: decimal, lot: decimal })),
  params: z.unknown(),
  limits: z.unknown(),
  /** Maximum delay of a turn in milliseconds, if the run is of another process and read from its recording; absent if there is no delay. */
  delayMs: millis.optional(),
  /** True if the page may stop the run. */
  control: z.boolean(),
  /** Progress of a replay; absent for a live run. */
  replay: replayShape.optional(),
  mode: z.enum(MODES),
  status: statusShape,
  /** By symbol; a market is absent until its first book. */
  book: z.record(z.string(), bookShape),
  orders: z.array(orderShape),
  held: z.array(heldShape),
  /** The newest fills, newest last. */
  fills: z.array(lineShape),
  lines: z.array(lineShape),
  equity: z.array(equityShape),
  /** By symbol, oldest first. */
  candles: z.record(z.string(), z.object({ seconds: z.array(candleShape), minutes: z.array(candleShape) })),
  ended: z.boolean(),
});

/** Makes the mode of a run stricter. */
export const stopShape = z.strictObject({ mode: z.enum(['kill', 'close-only']) });
/** Moves a replay: seeks a time, changes the speed, pauses or plays. */
export const moveShape = z.strictObject({
  at: millis.optional(),
  speed: z.number().positive().max(1_000).optional(),
  playing: z.boolean().optional(),
});
/** A run of this machine, in the list of runs. */
const runRowShape = z.object({
  /** Identifies the run in other requests. */
  id: z.string(),
  run: z.string(),
  strategy: z.string(),
  exchange: z.string(),
  markets: z.array(z.string()),
  money: z.enum(['practice', 'real']),
  /** RFC 3339. */
  started: z.string(),
  /** `hangs`: the process is alive, but has not reported for a while. */
  process: z.enum(['alive', 'hangs', 'ended']),
  outcome: z.enum(OUTCOMES),
  /** Why it ended; absent if it is done or lives. */
  reason: z.string().optional(),
  /** Account, public key, address, practice or real money, in words. */
  identity: z.string(),
  /** The state directory, as an absolute path. */
  state: z.string(),
  mode: z.enum(MODES),
  /** This field and the following ones are absent until the run has traded. */
  pnl: decimal.optional(),
  /** Profit since midnight UTC. */
  today: decimal.optional(),
  equity: decimal.optional(),
  /** Size by symbol; a market without a position is absent. */
  positions: z.record(z.string(), decimal).optional(),
  openOrders: z.number().optional(),
  unknown: z.number().optional(),
  alarms: z.number().optional(),
  /** Age of these figures. */
  ageMs: z.number().optional(),
});
/** The sums of all listed runs with real money, or of those without. */
const runSumsShape = z.object({
  money: z.enum(['practice', 'real']),
  runs: z.number(),
  alive: z.number(),
  failed: z.number(),
  pnl: decimal,
  today: decimal,
  /** Of the accounts of living runs. */
  equity: decimal.optional(),
  openOrders: z.number(),
  alarms: z.number(),
  /** Time and profit of all runs together, oldest first. */
  curve: z.array(z.tuple([millis, decimal])),
});
/** The sums of a fleet, and its limits. */
const fleetShape = z.object({
  fleet: z.string(),
  pnl: decimal,
  today: decimal,
  /** Notional of all positions, long plus short. */
  gross: decimal,
  limits: z.array(
    z.object({
      limit: z.string(),
      /** How much of `most` is used, in quote tokens. */
      used: decimal,
      most: decimal,
      mode: z.enum(MODES),
      /** True once the limit was exceeded: its mode then applies to all runs until each is resumed. */
      acted: z.boolean(),
    }),
  ),
});
/** The list of runs; their sums, real money first; and their fleet, if they belong to one. */
export const runListShape = z.object({ runs: z.array(runRowShape), sums: z.array(runSumsShape), fleet: fleetShape.optional() });
/** The login: the secret of the link. */
export const linkShape = z.strictObject({ secret: z.string().max(100) });

export type PageState = z.infer<typeof stateShape>;
export type PageEvent = z.infer<typeof eventShape>;
export type PageHistory = z.infer<typeof historyShape>;
export type PageBook = z.infer<typeof bookShape>;
export type PageOrder = z.infer<typeof orderShape>;
export type PageStatus = z.infer<typeof statusShape>;
export type PageHeld = z.infer<typeof heldShape>;
export type PageLine = z.infer<typeof lineShape>;
export type PageReplay = z.infer<typeof replayShape>;
export type StopMode = z.infer<typeof stopShape>['mode'];
export type ReplayMove = z.infer<typeof moveShape>;
export type PageFleet = z.infer<typeof fleetShape>;
export type RunList = z.infer<typeof runListShape>;
export type RunRow = z.infer<typeof runRowShape>;
export type RunSums = z.infer<typeof runSumsShape>;
