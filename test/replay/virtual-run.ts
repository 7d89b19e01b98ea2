// A whole run on virtual time, in this process: the real client, a server without sockets, every byte of the protocol.

import { type Clock, VirtualClock } from '../../src/base/clock.ts';
import { rngFrom } from '../../src/base/rng.ts';
import type { Transport } from '../../src/base/transport.ts';
import type { AccountId } from '../../src/domain/ids.ts';
import { listedAs } from '../../src/embedded/state/listing.ts';
import { REGIMES } from '../../src/embedded/traders/regimes.ts';
import { connectHosted } from '../../src/exchange/hosted/connect.ts';
import type { Wallet } from '../../src/exchange/hosted/session/open-session.ts';
import type { Venue } from '../../src/exchange/port.ts';
import { inProcessTransport } from '../../src/exchange/transport/in-process.ts';
import type { Line } from '../../src/report/accounting/lines.ts';
import type { Summary } from '../../src/report/accounting/summary.ts';
import { loadConfig } from '../../src/run/core/config.ts';
import type { Ending } from '../../src/run/core/run.ts';
import type { ForeignOrdersPolicy } from '../../src/run/core/start-check.ts';
import { startTrading, stopAfter, type Trading, type TradingOptions } from '../../src/run/core/trading.ts';
import { inherited } from '../../src/run/core/venue.ts';
import { walletOf } from '../../src/run/keys/key.ts';
import { memoryState, type State } from '../../src/run/state/state.ts';
import { FAUCET } from '../../src/run/venues/embedded/open.ts';
import { type Embedded, type EmbeddedOptions, startEmbedded } from '../../src/server/embedded.ts';
import type { Params, Strategy } from '../../src/strategy/contract.ts';
import { deciderOf } from '../../src/strategy/decide.ts';
import { loadStrategy } from '../../src/strategy/loading/loader.ts';
import { resolveParams } from '../../src/strategy/params.ts';
import { newSecretKey } from '../../src/wire/ed25519.ts';
import { type ActionSchema, bundledSchema } from '../../src/wire/schema/schema.ts';
import { driven } from '../driven.ts';

export const START = Date.parse('2026-01-05T12:00:00Z');
export const QUIET = { info: () => undefined, warn: () => undefined };
export const DEFAULTS = loadConfig({ file: undefined, sets: [] });

export interface VirtualRun {
  readonly ending: Ending;
  readonly summary: Summary;
  readonly lines: readonly Line[];
  /** As the state directory would hold it. */
  readonly recording: readonly string[];
}

interface VirtualOptions extends Pick<BotOptions, 'params' | 'markets'> {
  readonly strategy: Strategy<Params>;
  readonly seed: string;
  readonly seconds: number;
  /** Called when it begins to trade. */
  readonly begun?: ((trading: Trading) => void) | undefined;
}

/** Keys come from the platform, as they do in a real run: what follows from the seed must not depend on them. */
export async function virtualRun({
  strategy: named,
  ...asked
}: Omit<VirtualOptions, 'strategy' | 'begun'> & { readonly strategy: string }): Promise<VirtualRun> {
  const { strategy } = await loadStrategy(named);
  const clock = new VirtualClock(START);
  return driven(clock, runOn(clock, { strategy, ...asked }));
}

/** The same on a clock that others share; somebody has to let time pass. */
export async function runOn(clock: VirtualClock, { strategy, seed, seconds, begun, params, markets }: VirtualOptions): Promise<VirtualRun> {
  const schema = bundledSchema();
  const embedded = await livelyExchange(clock, seed, markets && listedAs(markets));
  const transport = inProcessTransport({ handler: embedded.hosted, clock, latencyMs: latencies(seed) });
  const state = memoryState();
  const bot = { transport, clock, seed, strategy, params, markets, state, schema, wallet: walletOf(newSecretKey()), exchange: 'embedded' };
  const { venue, trading } = await startBot(bot);
  begun?.(trading);
  stopAfter(trading.run, { clock, spanMs: seconds * 1000 });
  const ending = await trading.run.done;
  const summary = trading.summary();
  await venue.gateway.close();
  await embedded.close();
  return { ending, summary, lines: state.lines, recording: state.recording };
}

/** The embedded exchange from the present moment of a clock on, in this process; `options` where it is not the usual one. */
export const embeddedOn = (clock: Clock, options: Partial<EmbeddedOptions> & Pick<EmbeddedOptions, 'seed'>): Promise<Embedded> =>
  startEmbedded({ start: clock.now(), clock, speed: 1, faucet: FAUCET, schema: bundledSchema(), onBug: rethrow, ...options });

/** The market that `startBot` trades. An exchange with all of them takes three times the CPU time, and what one does depends on no other. */
export const ONE_MARKET = listedAs(['BTCUSDC']);

/** The same with markets of the regime `swinging`, where much happens in a few seconds. */
export const livelyExchange = (clock: Clock, seed: string, markets = ONE_MARKET): Promise<Embedded> =>
  embeddedOn(clock, { seed, markets, regime: REGIMES.swinging });

/** What a bug does to a test: it fails. */
export function rethrow(thrown: unknown): never {
  throw thrown;
}

/** Milliseconds there and back. */
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

/** A strategy that trades with whatever answers at the transport, every limit at its default; time has to pass before it does. */
export async function startBot(options: BotOptions): Promise<Bot> {
  const { polling } = DEFAULTS;
  const { markets = ['BTCUSDC'] } = options;
  const given = { ...options, ...inherited(options), rng: rngFrom(options.seed).fork('venue'), polling, log: QUIET, markets };
  const venue = await connectHosted(given);
  return { venue, trading: tradeAt(venue, options) };
}

/** The same at a venue that is open already. */
export function tradeAt(
  venue: Venue,
  { clock, seed, strategy, params: given = {}, state, exchange, foreign, inputs, origin }: TraderOptions,
): Trading {
  const params = resolveParams(strategy, given, () => undefined);
  const decide = deciderOf(strategy, params, { rng: rngFrom(seed).fork('strategy'), markets: venue.feed.markets });
  const name = { run: 'virtual', strategy: strategy.name, exchange };
  return startTrading({ clock, venue, state, decide, limits: DEFAULTS.limits, params, seed, name, foreign, inputs, origin });
}
