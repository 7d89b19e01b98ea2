// The simulated and the hosted adapter give the same turns on the same exchange with the same latencies.
import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../../src/base/clock.ts';
import { walletOf } from '../../../src/base/keys/key.ts';
import { rngFrom } from '../../../src/base/rng.ts';
import type { Handler } from '../../../src/base/transport/transport.ts';
import { newSecretKey } from '../../../src/base/wire/ed25519.ts';
import type { Event } from '../../../src/bot/domain/event.ts';
import type { Turn } from '../../../src/bot/domain/turn.ts';
import { stopAfter, type Trading } from '../../../src/bot/run/core/trading.ts';
import type { Params, Strategy } from '../../../src/bot/strategy/contract.ts';
import { loadStrategy } from '../../../src/bot/strategy/loading/loader.ts';
import type { LatencyModel } from '../../../src/embedded/adapter/latency.ts';
import { embeddedVenue } from '../../../src/embedded/adapter/venue.ts';
import { Exchange } from '../../../src/embedded/exchange/exchange.ts';
import { RowFeed } from '../../../src/embedded/exchange/recorded/recording.ts';
import { DEFAULT_FUNDS } from '../../../src/embedded/exchange/state/listing.ts';
import { flowNamed } from '../../../src/embedded/exchange/traders/flow.ts';
import { RowBuilder } from '../../../src/embedded/rows/row-builder.ts';
import { hostedApi } from '../../../src/embedded/server/hosted/api.ts';
import { ActionCodec } from '../../../src/venues/wire/codec.ts';
import { bundledSchema } from '../../../src/venues/wire/schema/schema.ts';
import { driven } from '../../driven.ts';
import { inProcessTransport } from '../../in-process.ts';
import { memoryState } from '../../memory-state.ts';
import { DEFAULTS, startBot, tradeAt } from '../../replay/virtual-run.ts';
import { MARKET, randomRows, START } from '../backtest/memory-tape.ts';
import { fineGrid } from '../backtest/played.ts';

const SEED = 'parity';
const SPAN = 10_000;
const WARM_UP = 30_000;

/** The simulated adapter has fewer turns before the first account. */
const UNCOUNTED = { turns: 0, turnsBy: {}, heldBy: {} };

/** Milliseconds of a round trip while a session is opened. The simulated adapter has no session. */
const CONNECTING = 20;

/** Returns latencies that both adapters draw in the same order. */
function travelTimes(): () => number {
  const rng = rngFrom(SEED);
  return () => 2 + rng.below(200);
}

function amongTraders(): Exchange {
  const exchange = new Exchange({ seed: SEED, start: START - WARM_UP, flow: flowNamed('swinging') });
  exchange.advanceTo(START);
  return exchange;
}

function recorded(): Exchange {
  const rows = new RowFeed();
  const builder = new RowBuilder();
  for (const row of randomRows(SEED, 60)) builder.add(row);
  rows.push(builder.take());
  rows.end();
  const markets = [{ spec: { ...MARKET, id: 0 }, basePrice: 60_000 }];
  return new Exchange({ seed: SEED, start: START, markets, recordings: [{ rows, queue: { kind: 'probabilistic', power: 2 } }] });
}

interface Reported {
  readonly turns: readonly Turn[];
  readonly summary: object;
}

/** Times of the first request and of the start of trading. */
interface Entry {
  readonly entered: number;
  readonly began: number;
}

async function recordTurns(clock: VirtualClock, trading: Trading): Promise<Reported> {
  const turns: Turn[] = [];
  trading.run.turns.subscribe((turn) => turns.push(turn));
  stopAfter(trading.run, { clock, spanMs: SPAN });
  await driven(clock, trading.run.done);
  return { turns, summary: trading.summary() };
}

async function hosted(exchange: Exchange, strategy: Strategy<Params>): Promise<Reported & Entry> {
  const clock = new VirtualClock(START);
  const schema = bundledSchema();
  const catchUp = (): void => exchange.advanceTo(Math.floor(clock.now()));
  const handle = hostedApi({ exchange, codec: new ActionCodec(schema), faucet: DEFAULT_FUNDS, catchUp });
  let entered = 0;
  const handler: Handler = (request) => {
    if (request.method === 'POST') entered ||= clock.now();
    return handle(request);
  };
  const both = { latencyMs: () => CONNECTING };
  const transport = inProcessTransport({ handler, clock, latencyMs: () => both.latencyMs() });
  const bot = { transport, clock, seed: SEED, strategy, state: memoryState(), schema, wallet: walletOf(newSecretKey()), exchange: 'same' };
  const { venue, trading } = await driven(clock, startBot(bot));
  both.latencyMs = travelTimes();
  const began = clock.now();
  const reported = await recordTurns(clock, trading);
  await venue.gateway.close();
  return { ...reported, entered, began };
}

function simulated(exchange: Exchange, strategy: Strategy<Params>, { entered, began }: Entry): Promise<Reported> {
  const clock = new VirtualClock(began);
  exchange.advanceTo(entered);
  const account = exchange.register('bot', DEFAULT_FUNDS);
  exchange.countAction(); // the hosted adapter's session
  const both = travelTimes();
  const model: LatencyModel = {
    draw: () => {
      const half = both() / 2;
      return { there: half, back: half };
    },
  };
  const latency = { seen: model, sent: model };
  const venue = embeddedVenue({ exchange, clock, account, markets: [MARKET.symbol], polling: DEFAULTS.polling, latency });
  return recordTurns(
    clock,
    tradeAt(venue, { clock, seed: SEED, strategy, params: strategy.defaults, state: memoryState(), exchange: 'same' }),
  );
}

/** Removes the turns and findings of the session, and the fees of all tiers, also in the memory, which the simulated adapter does not have. */
const comparable = (turns: readonly Turn[]): readonly Turn[] =>
  turns
    .map((turn) => ({
      ...turn,
      memory: undefined,
      events: turn.events.filter((event) => !isOfSession(event)).map(withoutTiers),
      findings: [],
    }))
    .filter(({ events }) => events.length > 0);
const withoutTiers = (event: Event): Event =>
  event.kind === 'accountSeen' ? { ...event, account: { ...event.account, feeRange: undefined } } : event;
const isOfSession = (event: Event): boolean => event.kind === 'sessionSeen' || (event.kind === 'healthSeen' && event.stream === 'session');
const findings = (turns: readonly Turn[]) => turns.flatMap((turn) => turn.findings);

const built = async (name: string): Promise<Strategy<Params>> => (await loadStrategy(name)).strategy;

describe.each([
  ['the grid among traders', amongTraders, () => built('grid')],
  ['the lean maker among traders', amongTraders, () => built('lean-maker')],
  ['a fine grid on a recording', recorded, fineGrid],
] as const)('%s', (_, open, strategyOf) => {
  test('has the same turns with the simulated adapter as with the hosted one', async () => {
    const strategy = await strategyOf();
    const real = await hosted(open(), strategy);
    const simulation = await simulated(open(), strategy, real);
    const [ours, theirs] = [comparable(simulation.turns), comparable(real.turns)];
    expect(theirs.some(({ fills }) => fills.length > 0)).toBe(true);
    for (const [index, turn] of ours.entries()) expect(turn).toEqual(theirs[index]);
    expect(ours).toHaveLength(theirs.length);
    expect(findings(simulation.turns)).toEqual(findings(real.turns));
    expect({ ...simulation.summary, ...UNCOUNTED }).toEqual({ ...real.summary, ...UNCOUNTED });
  });
});
