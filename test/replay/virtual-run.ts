// A whole run on virtual time in one process: the real client and a server without sockets exchange the bytes of the protocol.

import { type Clock, VirtualClock } from '../../src/base/clock.ts';
import { walletOf } from '../../src/base/keys/key.ts';
import type { Wallet } from '../../src/base/keys/wallet.ts';
import { rngFrom } from '../../src/base/rng.ts';
import type { Transport } from '../../src/base/transport/transport.ts';
import { newSecretKey } from '../../src/base/wire/ed25519.ts';
import type { Line } from '../../src/bot/accounting/lines.ts';
import type { Summary } from '../../src/bot/accounting/summary.ts';
import type { AccountId } from '../../src/bot/domain/ids.ts';
import type { Venue } from '../../src/bot/exchange/port.ts';
import { loadConfig } from '../../src/bot/run/core/config.ts';
import type { Ending } from '../../src/bot/run/core/run.ts';
import { startTrading, stopAfter, type Trading, type TradingOptions } from '../../src/bot/run/core/trading.ts';
import { inheritedOptions } from '../../src/bot/run/core/venue.ts';
import type { ForeignOrdersPolicy } from '../../src/bot/run/state/entries.ts';
import type { State } from '../../src/bot/run/state/state.ts';
import type { Params, Strategy } from '../../src/bot/strategy/contract.ts';
import { deciderOf } from '../../src/bot/strategy/decide.ts';
import { loadStrategy } from '../../src/bot/strategy/loading/loader.ts';
import { resolveParams } from '../../src/bot/strategy/params.ts';
import { DEFAULT_FUNDS, listedAs } from '../../src/embedded/exchange/state/listing.ts';
import { REGIMES } from '../../src/embedded/exchange/traders/regimes.ts';
import { type Embedded, type EmbeddedOptions, startEmbedded } from '../../src/embedded/server/embedded.ts';
import { connectHosted } from '../../src/venues/hosted/open.ts';
import { type ActionSchema, bundledSchema } from '../../src/venues/wire/schema/schema.ts';
import { driven } from '../driven.ts';
import { inProcessTransport } from '../in-process.ts';
import { memoryState } from '../memory-state.ts';

export const START = Date.parse('2026-01-05T12:00:00Z');
export const QUIET = { info: () => undefined, warn: () => undefined };
export const DEFAULTS = loadConfig({ file: undefined, sets: [] });

export interface VirtualRun {
  readonly ending: Ending;
  readonly summary: Summary;
  readonly lines: readonly Line[];
  /** The journal as in the state directory. */
  readonly recording: readonly string[];
}

interface VirtualOptions extends Pick<BotOptions, 'params' | 'markets' | 'allowance'> {
  readonly strategy: Strategy<Params>;
  readonly seed: string;
  readonly seconds: number;
  /** Called when trading starts. */
  readonly begun?: ((trading: Trading) => void) | undefined;
}

/** Runs a bot on a clock of its own. Keys are random, as in a real run: results of the seed must not depend on them. */
export async function virtualRun({
  strategy: named,
  ...asked
}: Omit<VirtualOptions, 'strategy' | 'begun'> & { readonly strategy: string }): Promise<VirtualRun> {
  const { strategy } = await loadStrategy(named);
  const clock = new VirtualClock(START);
  return driven(clock, runOn(clock, { strategy, ...asked }));
}

/** Runs a bot on a shared clock, which the caller must advance. */
export async function runOn(
  clock: VirtualClock,
  { strategy, seed, seconds, begun, params, markets, allowance }: VirtualOptions,
): Promise<VirtualRun> {
  const schema = bundledSchema();
  const embedded = await livelyExchange(clock, seed, markets && listedAs(markets));
  const transport = inProcessTransport({ handler: embedded.hosted, clock, latencyMs: latencies(seed) });
  const state = memoryState();
  const bot = {
    transport,
    clock,
    seed,
    strategy,
    params,
    markets,
    state,
    schema,
    wallet: walletOf(newSecretKey()),
    exchange: 'embedded',
    allowance,
  };
  const { venue, trading } = await startBot(bot);
  begun?.(trading);
  stopAfter(trading.run, { clock, spanMs: seconds * 1000 });
  const ending = await trading.run.done;
  const summary = trading.summary();
  await venue.gateway.close();
  await embedded.close();
  return { ending, summary, lines: state.lines, recording: state.recording };
}

/** Starts the embedded exchange in this process at the present time of a clock. */
export const embeddedOn = (clock: Clock, options: Partial<EmbeddedOptions> & Pick<EmbeddedOptions, 'seed'>): Promise<Embedded> =>
  startEmbedded({ start: clock.now(), clock, speed: 1, faucet: DEFAULT_FUNDS, schema: bundledSchema(), onBug: rethrow, ...options });

/** The market that `startBot` trades. Markets are independent, and an exchange with all of them takes three times the CPU time. */
export const ONE_MARKET = listedAs(['BTCUSDC']);

/** Starts the embedded exchange with markets of the regime `swinging`, which trade often. */
export const livelyExchange = (clock: Clock, seed: string, markets = ONE_MARKET): Promise<Embedded> =>
  embeddedOn(clock, { seed, markets, regime: REGIMES.swinging });

/** Rethrows an error, so that a bug fails the test. */
export function rethrow(thrown: unknown): never {
  throw thrown;
}

/** Returns a source of round-trip latencies in milliseconds. */
export function latencies(seed: string): () => number {
  const delays = rngFrom(seed).fork('latency');
  return () => 5 + delays.below(40);
}

interface TraderOptions {
  readonly clock: Clock;
  readonly seed: string;
  readonly strategy: Strategy<Params>;
  /** Default: the strategy's own. */
  readonly params?: Params | undefined;
  readonly state: State;
  /** A name for the summary. */
  readonly exchange: string;
  readonly foreign?: ForeignOrdersPolicy | undefined;
  readonly inputs?: TradingOptions['inputs'];
  readonly origin?: TradingOptions['origin'];
  readonly allowance?: TradingOptions['allowance'];
}

export interface BotOptions extends TraderOptions {
  readonly transport: Transport;
  readonly schema: ActionSchema;
  readonly wallet: Wallet;
  readonly accountId?: AccountId | undefined;
  /** Default: BTCUSDC. */
  readonly markets?: readonly string[] | undefined;
}

export interface Bot {
  readonly venue: Venue;
  readonly trading: Trading;
}

/** Starts a bot on a transport, with default limits. The caller must advance the clock. */
export async function startBot(options: BotOptions): Promise<Bot> {
  const { polling } = DEFAULTS;
  const { markets = ['BTCUSDC'] } = options;
  const given = { ...options, ...inheritedOptions(options), rng: rngFrom(options.seed).fork('venue'), polling, log: QUIET, markets };
  const venue = await connectHosted(given);
  return { venue, trading: tradeAt(venue, options) };
}

/** Starts a bot on an open venue. */
export function tradeAt(
  venue: Venue,
  { clock, seed, strategy, params: given = {}, state, exchange, foreign, inputs, origin, allowance }: TraderOptions,
): Trading {
  const params = resolveParams(strategy, given, () => undefined);
  const decide = deciderOf(strategy, params, { rng: rngFrom(seed).fork('strategy'), markets: venue.feed.markets });
  const name = { run: 'virtual', strategy: strategy.name, exchange };
  return startTrading({ clock, venue, state, decide, limits: DEFAULTS.limits, params, seed, name, foreign, inputs, origin, allowance });
}
