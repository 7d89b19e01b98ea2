// Starts the embedded exchange: it runs on a clock, and answers in this process or on loopback ports, one per API.
//   hosted/, local/       the API of the exchange itself, and that of the user's signing process
//   hyperliquid/          the API of Hyperliquid, with its rules
//   client-ids.ts, pasts.ts   client ids of any text, and candles from before the start, for the last two
//   base/server/http.ts, base/server/sockets.ts   serve requests and websockets on a port; base/server/browser-requests.ts refuses web pages
//   base/server/routing.ts            finds the endpoint of a request; reply.ts and reply-values.ts write answers
//   advance-time.ts       advances the exchange's time with a clock
import type { Clock, Millis } from '../../base/clock.ts';
import { type Served, type ServeOptions, serve } from '../../base/server/http.ts';
import type { OpenStreams } from '../../base/server/sockets.ts';
import { spanText } from '../../base/text/duration.ts';
import type { Handler } from '../../base/transport/transport.ts';
import { newSecretKey, type Signer, signerFrom, toBase58 } from '../../base/wire/ed25519.ts';
import type { AccountId } from '../../bot/domain/ids.ts';
import type { Micros } from '../../bot/domain/numbers.ts';
import { ActionCodec } from '../../venues/wire/codec.ts';
import type { ActionSchema } from '../../venues/wire/schema/schema.ts';
import { Exchange } from '../exchange/exchange.ts';
import { DEFAULT_FUNDS, type ListedMarket, QUOTE } from '../exchange/state/listing.ts';
import { flowOf } from '../exchange/traders/flow.ts';
import { pastMovesOf, type Regime } from '../exchange/traders/regimes.ts';
import { advanceWithClock } from './advance-time.ts';
import { hostedApi } from './hosted/api.ts';
import { streamHub } from './hosted/streams/hub.ts';
import { type HyperliquidHandlers, hyperliquidServer } from './hyperliquid/api.ts';
import { localApi } from './local/api.ts';
import { inEnvelope } from './local/reply.ts';

export interface EmbeddedOptions {
  /** Seed of the simulated traders. */
  readonly seed: string;
  /** The regime by which its markets move; default: `DEFAULT_REGIME`. */
  readonly regime?: Regime | undefined;
  /** Ids must count up from 0; default: `LISTED_MARKETS`. */
  readonly markets?: readonly ListedMarket[] | undefined;
  /** Exchange time at the start. */
  readonly start: Millis;
  readonly clock: Clock;
  /** Simulated seconds per second of the clock. */
  readonly speed: number;
  /** Quote money that a new user receives; with 0 a new user is refused. */
  readonly faucet: Micros;
  readonly schema: ActionSchema;
  /** Port of the hosted API; 0 chooses a free port. Without a port it answers in this process only. */
  readonly port?: number | undefined;
  /** Port of the local API; 0 chooses a free port. Without a port there is no local account. */
  readonly localPort?: number | undefined;
  /** Port of the Hyperliquid API; 0 chooses a free port. Without a port it answers in this process only. */
  readonly hyperliquidPort?: number | undefined;
  /** How many orders and cancels an address of the Hyperliquid API may send that has traded nothing; by default those of Hyperliquid. */
  readonly hyperliquidQuota?: number | undefined;
  /** How far back the list of trades goes at the start. By default 0: it begins with the first trade of the simulated traders. */
  readonly pastMs?: Millis | undefined;
  /** Called with an error that the server should not have thrown. */
  readonly onBug: (thrown: unknown) => void;
  /** Called with a text for the user when the exchange's time stays behind the clock. */
  readonly warn?: ((text: string) => void) | undefined;
}

export interface Embedded {
  readonly exchange: Exchange;
  /** The hosted API. */
  readonly hosted: Handler;
  /** The streams of the hosted API. */
  readonly streams: OpenStreams;
  /** The address of the hosted API; undefined without a port. */
  readonly url: string | undefined;
  /** The local API. This and the next two are undefined without a `localPort`. */
  readonly local: Handler | undefined;
  readonly localUrl: string | undefined;
  readonly localAccount: LocalApiAccount | undefined;
  /** The Hyperliquid API, and its address; undefined without a port. */
  readonly hyperliquid: Handler;
  readonly hyperliquidUrl: string | undefined;
  /** Its websocket. */
  readonly hyperliquidStreams: OpenStreams;
  /** The time of the clock by which the exchange stays behind, because the process was too busy. */
  readonly skipped: () => Millis;
  /** Stops its time and its servers. */
  readonly close: () => Promise<void>;
}

/** The account of the local API, and its user, who may open sessions for it on the hosted API. */
export interface LocalApiAccount {
  readonly id: AccountId;
  readonly user: Signer;
}

/** How long the simulated traders are active before the start, so that the first request finds a book and trades. */
const WARM_UP: Millis = 30_000;

/** Starts the exchange and its servers. Rejects with a `UserError` if a port cannot be used. */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const { seed, regime, markets, start, clock, speed, faucet, schema, port, localPort, hyperliquidPort, pastMs = 0, onBug, warn } = options;
  const moves = pastMovesOf(regime);
  const past = pastMs > 0 ? { seed, moves, spanMs: pastMs } : undefined;
  const exchange = new Exchange({ seed, markets, flow: flowOf(regime), start: start - WARM_UP, past });
  exchange.advanceTo(start);
  const { open: streams, sendChanges: sendHosted } = streamHub(exchange);
  const sendChanges = (): void => {
    sendHosted();
    hyperliquidParts.socket.sendChanges();
  };
  const { catchUp, stop, skipped } = advanceWithClock({
    exchange,
    clock,
    speed,
    onStep: sendChanges,
    onSkipped: warn && skippedWarning(warn),
  });
  const hosted = afterEachReply(hostedApi({ exchange, codec: new ActionCodec(schema), faucet, catchUp }), sendChanges);
  const localAccount = localPort === undefined ? undefined : openLocalAccount(exchange, faucet);
  const local =
    localAccount && afterEachReply(localApi({ exchange, account: localAccount.id, past: { seed, moves }, catchUp }), sendChanges);
  const quota = options.hyperliquidQuota;
  const hyperliquidParts: HyperliquidHandlers = hyperliquidServer({ exchange, faucet, past: { seed, moves }, quota, catchUp });
  const hyperliquid = afterEachReply(hyperliquidParts.api, sendChanges);
  const servers: Served[] = [];
  const close = async (): Promise<void> => {
    stop();
    await Promise.all(servers.map((server) => server.close()));
  };
  const openPort = async (handler: Handler | undefined, wanted?: number, more: Pick<ServeOptions, 'writeRefusal' | 'streams'> = {}) => {
    if (handler === undefined || wanted === undefined) return undefined;
    const server = await serve(handler, { port: wanted, host: '127.0.0.1', onBug, ...more });
    servers.push(server);
    return server.url;
  };
  try {
    const url = await openPort(hosted, port, { streams });
    const localUrl = await openPort(local, localPort, { writeRefusal: inEnvelope });
    const hyperliquidUrl = await openPort(hyperliquid, hyperliquidPort, { streams: hyperliquidParts.socket.open });
    return {
      exchange,
      hosted,
      streams,
      url,
      local,
      localUrl,
      localAccount,
      hyperliquid,
      hyperliquidUrl,
      hyperliquidStreams: hyperliquidParts.socket.open,
      skipped,
      close,
    };
  } catch (thrown) {
    await close();
    throw thrown;
  }
}

/** Warns at the first second that is skipped, and whenever the total has doubled. */
function skippedWarning(warn: (text: string) => void): (total: Millis) => void {
  let next: Millis = 1_000;
  return (total) => {
    if (total < next) return;
    next = 2 * total;
    warn(
      `the embedded exchange is ${spanText(total, 'h')} behind the clock for good: this machine is too busy to make up more than a minute`,
    );
  };
}

/** Calls `call` after each answer of `handler`. */
const afterEachReply =
  (handler: Handler, call: () => void): Handler =>
  (request) => {
    const reply = handler(request);
    call();
    return reply;
  };

/** The amount of each base token in the wallet. */
const BASE_TOKENS = 100;

/** Opens an account with money to trade with, as much again in the wallet, and base tokens that can be deposited as collateral or sold. */
function openLocalAccount(exchange: Exchange, faucet: Micros): LocalApiAccount {
  const user = signerFrom(newSecretKey());
  const account = exchange.openAccount(toBase58(user.publicKey));
  const funds = { account, token: QUOTE, amount: faucet > 0 ? faucet : DEFAULT_FUNDS };
  exchange.wallets.endow({ ...funds, amount: 2 * funds.amount });
  exchange.wallets.deposit(funds);
  for (const market of exchange.markets.filter(({ spec }) => spec.kind === 'spot')) {
    exchange.wallets.endow({ account, token: market.spec.baseTokenId, amount: market.lots(BASE_TOKENS) });
  }
  return { id: account, user };
}
