// Starts the embedded exchange in this process and connects to it over HTTP with the real protocol. No key, no network, no money.
// Also its candles from before the start.
import { walletOf } from '../../base/keys/key.ts';
import { httpTransport } from '../../base/transport/http.ts';
import { dialAt } from '../../base/transport/socket.ts';
import { newSecretKey } from '../../base/wire/ed25519.ts';
import type { Venue } from '../../bot/exchange/port.ts';
import { inheritedOptions, type OpenVenue, startCheckOption, type VenueOptions } from '../../bot/run/core/venue.ts';
import { connectHosted } from '../../venues/hosted/open.ts';
import { bundledSchema } from '../../venues/wire/schema/schema.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { pastCandles } from '../exchange/history/past.ts';
import { DEFAULT_FUNDS } from '../exchange/state/listing.ts';
import { pastMovesOf, type Regime } from '../exchange/traders/regimes.ts';
import { startEmbedded } from '../server/embedded.ts';

const CONNECTIONS = 16;

/** Starts and connects. `seed` is that of the simulated traders; `onBug` is called with unexpected errors of the exchange. */
export async function openEmbedded(
  options: VenueOptions & {
    readonly seed: string;
    readonly regime?: Regime | undefined;
    readonly streams?: boolean | undefined;
    readonly onBug: (thrown: unknown) => void;
  },
): Promise<OpenVenue> {
  const { clock, seed, onBug } = options;
  const schema = bundledSchema();
  const embedded = await startEmbedded({
    seed,
    regime: options.regime,
    start: clock.now(),
    clock,
    speed: 1,
    faucet: DEFAULT_FUNDS,
    schema,
    port: 0,
    onBug,
    warn: options.warn ?? ((text) => options.log.warn(text)),
  });
  const transport = httpTransport({ origin: embedded.url ?? '', connections: CONNECTIONS });
  const close = async (): Promise<void> => {
    await transport.close();
    await embedded.close();
  };
  try {
    // a new exchange has no trades of an earlier process
    const start = {
      ...inheritedOptions(options),
      ...startCheckOption(options, { exchange: 'embedded', identity: 'none' }),
      resume: undefined,
    };
    const wallet = walletOf(newSecretKey());
    const dialStreams = options.streams ? dialAt(embedded.url ?? '') : undefined;
    const venue = await connectHosted({ ...options, ...start, betweenAccountsMs: 0, transport, schema, wallet, dialStreams });
    return {
      venue: { ...venue, timeSkipped: embedded.skipped, history: embeddedPast(embedded.exchange, { seed, regime: options.regime }) },
      close: async () => {
        await venue.gateway.close();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

interface PastOptions {
  readonly seed: string;
  /** How its markets move; the exchange's default if absent. */
  readonly regime?: Regime | undefined;
}

/**
 * Returns the candles from before an embedded exchange began, for strategies that request a history: generated from its seed on request and ending at its
 * current prices.
 */
export function embeddedPast(exchange: Exchange, { seed, regime }: PastOptions): NonNullable<Venue['history']> {
  const end = exchange.now();
  const moves = pastMovesOf(regime);
  const prices = new Map(exchange.markets.map(({ id, symbol }) => [symbol, exchange.live(id)?.mark ?? exchange.live(id)?.index]));
  return ({ market: { symbol }, span, count }) => {
    const price = prices.get(symbol);
    return { span, candles: price === undefined ? [] : pastCandles({ seed, symbol, price, end, moves }, { span, count }) };
  };
}
