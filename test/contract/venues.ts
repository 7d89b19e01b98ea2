// Opens every venue adapter at an exchange of its own, with a recorder of all its events.
import { type Clock, systemClock, VirtualClock } from '../../src/base/clock.ts';
import { walletOf } from '../../src/base/keys/key.ts';
import { rngFrom } from '../../src/base/rng.ts';
import { socketTo } from '../../src/base/transport/socket.ts';
import { newSecretKey } from '../../src/base/wire/ed25519.ts';
import { connectVenue } from '../../src/bot/exchange/kit/connect.ts';
import { inheritedOptions, inheritedOptionsWithoutSession, type OpenVenue } from '../../src/bot/run/core/venue.ts';
import { latenciesOf } from '../../src/embedded/adapter/latency.ts';
import { embeddedVenue } from '../../src/embedded/adapter/venue.ts';
import { Exchange } from '../../src/embedded/exchange/exchange.ts';
import { DEFAULT_FUNDS } from '../../src/embedded/exchange/state/listing.ts';
import { EventRecorder } from '../../src/research/testing/venue/recorder.ts';
import { connectHosted, openHosted } from '../../src/venues/hosted/open.ts';
import { HYPERLIQUID_CODE, hyperliquidOver } from '../../src/venues/hyperliquid/open.ts';
import { openClient } from '../../src/venues/kind/over-transport.ts';
import { openLocal } from '../../src/venues/local/open.ts';
import { bundledSchema } from '../../src/venues/wire/schema/schema.ts';
import { driven } from '../driven.ts';
import { approveAgent, KEY, STAND_IN } from '../hyperliquid/agent.ts';
import { inProcessTransport } from '../in-process.ts';
import { memoryState } from '../memory-state.ts';
import { DEFAULTS, embeddedOn, latencies, QUIET, START } from '../replay/virtual-run.ts';
import { thirdClient } from '../third-venue/adapter/client.ts';
import { keyOf, ThirdExchange } from '../third-venue/exchange.ts';
import { serveThird } from '../third-venue/server.ts';

const SEED = 'venues';
/** Polls the account more often than by default, because most tests wait for it. */
const POLLING = { ...DEFAULTS.polling, accountMs: 200, fillsMs: 200 };

/** Functions that open a venue, by name. All venues have the same market and the same other traders. */
export const VENUES: Readonly<Record<string, () => Promise<EventRecorder>>> = {
  'hosted over HTTP': async () => {
    const { common, exchange } = await started(systemClock);
    const opened = await openHosted({ ...common, url: exchange.url ?? '', wallet: walletOf(newSecretKey()), schema: 'bundled' });
    return recorderOf(opened, { clock: systemClock, after: exchange.close });
  },
  'local over HTTP': async () => {
    const { common, exchange } = await started(systemClock);
    const opened = await openLocal({ ...common, url: exchange.localUrl ?? '' });
    return recorderOf(opened, { clock: systemClock, after: exchange.close });
  },
  'hosted in process': async () => {
    const clock = new VirtualClock(START);
    const { common, exchange } = await started(clock);
    const transport = inProcessTransport({ handler: exchange.hosted, clock, latencyMs: latencies(SEED) });
    const keys = { wallet: walletOf(newSecretKey()), schema: bundledSchema() };
    const venue = await driven(clock, connectHosted({ ...common, ...inheritedOptions(common), ...keys, transport }));
    const opened = { venue, close: () => venue.gateway.close() };
    return recorderOf(opened, { clock, after: exchange.close });
  },
  'simulated in process': async () => {
    const clock = new VirtualClock(START);
    const exchange = new Exchange({ seed: SEED, start: START - WARM_UP });
    exchange.advanceTo(START);
    const account = exchange.register('bot', DEFAULT_FUNDS);
    const latency = latenciesOf({ kind: 'lognormal', median: 10, p99: 60 }, { rng: rngFrom(SEED), clock });
    const venue = embeddedVenue({ exchange, clock, account, markets: ['BTCUSDC'], polling: POLLING, latency });
    return recorderOf({ venue, close: () => venue.gateway.close() }, { clock, after: () => Promise.resolve() });
  },
  'Hyperliquid over HTTP': async () => {
    const exchange = await embeddedOn(systemClock, { seed: SEED, hyperliquidPort: 0 });
    approveAgent(exchange.hyperliquid, systemClock);
    const opened = await HYPERLIQUID_CODE.open({ ...openOptions(systemClock), url: exchange.hyperliquidUrl ?? '', key: KEY });
    return recorderOf(opened, { clock: systemClock, after: exchange.close });
  },
  'Hyperliquid in process': async () => {
    const clock = new VirtualClock(START);
    const exchange = await embeddedOn(clock, { seed: SEED });
    approveAgent(exchange.hyperliquid, clock);
    const transport = inProcessTransport({ handler: exchange.hyperliquid, clock, latencyMs: latencies(SEED) });
    const client = hyperliquidOver({ url: STAND_IN, transport, clock, key: KEY });
    const common = { ...commonOf(clock), markets: ['BTCUSDC'] };
    const venue = await driven(clock, connectVenue(client, { ...common, ...inheritedOptionsWithoutSession(common) }));
    return recorderOf({ venue, close: () => venue.gateway.close() }, { clock, after: exchange.close });
  },
  'the third exchange over HTTP': async () => {
    const exchange = new ThirdExchange({ clock: systemClock, rng: rngFrom(SEED) });
    exchange.open('bot', 10_000);
    const server = await serveThird(exchange);
    const options = { ...commonOf(systemClock), markets: ['BTC-PERP'], url: server.url };
    const opened = await openClient(options, {
      holder: { exchange: 'third', url: server.url },
      clientOver: (transport) =>
        thirdClient({ ...options, transport, dial: socketTo({ origin: server.url, path: '/v1/stream' }), key: keyOf('bot') }),
    });
    const after = async (): Promise<void> => {
      exchange.close();
      await server.close();
    };
    return recorderOf(opened, { clock: systemClock, after });
  },
};

const recorderOf = (opened: OpenVenue, { clock, after }: { clock: Clock; after: () => Promise<void> }): EventRecorder =>
  new EventRecorder(opened.venue, { clock, close: () => opened.close().then(after) });

/** How long the other traders trade before the bot connects. */
const WARM_UP = 30_000;

async function started(clock: VirtualClock | typeof systemClock) {
  const ports = clock instanceof VirtualClock ? {} : { port: 0, localPort: 0 };
  const exchange = await embeddedOn(clock, { seed: SEED, ...ports });
  return { common: commonOf(clock), exchange };
}

const commonOf = (clock: Clock) => ({
  clock,
  rng: rngFrom(SEED),
  polling: POLLING,
  markets: ['BTCUSDC'],
  state: memoryState(),
  limits: {},
  log: QUIET,
});

const openOptions = (clock: Clock) => ({
  ...commonOf(clock),
  markets: ['BTCUSDC'],
  seed: SEED,
  directory: '',
  config: DEFAULTS,
  onBug: () => undefined,
});
