// A whole embedded run on virtual time, in this process: the real client, the real server, every byte of the protocol, no socket.
import { VirtualClock } from '../../src/base/clock.ts';
import { rngFrom } from '../../src/base/rng.ts';
import { connectHosted } from '../../src/exchange/hosted/connect.ts';
import { inProcessTransport } from '../../src/exchange/transport/in-process.ts';
import { loadConfig } from '../../src/run/config.ts';
import { FAUCET } from '../../src/run/embedded.ts';
import { walletOf } from '../../src/run/key-file.ts';
import type { Ending } from '../../src/run/run.ts';
import { memoryState } from '../../src/run/state.ts';
import { startTrading, stopAfter } from '../../src/run/trading.ts';
import type { Line } from '../../src/report/lines.ts';
import type { Summary } from '../../src/report/summary.ts';
import { startEmbedded } from '../../src/server/embedded.ts';
import { deciderOf } from '../../src/strategy/decide.ts';
import { loadStrategy } from '../../src/strategy/loader.ts';
import { resolveParams } from '../../src/strategy/params.ts';
import { bundledSchema } from '../../src/wire/schema.ts';
import { newSecretKey } from '../../src/wire/signing.ts';

const START = Date.parse('2026-01-05T12:00:00Z');
const QUIET = { info: () => undefined, warn: () => undefined };

export interface VirtualRun {
  readonly ending: Ending;
  readonly summary: Summary;
  readonly lines: readonly Line[];
  /** As the state directory would hold it. */
  readonly recording: readonly string[];
}

/** Keys come from the platform, as they do in a real run: what follows from the seed must not depend on them. */
export async function virtualRun({ strategy: name, seed, seconds }: { strategy: string; seed: string; seconds: number }): Promise<VirtualRun> {
  const clock = new VirtualClock(START);
  const rng = rngFrom(seed);
  const config = loadConfig({ file: undefined, sets: [] });
  const { strategy } = await loadStrategy(name);
  const params = resolveParams(strategy, {}, () => undefined);
  const schema = bundledSchema();
  const onBug = (thrown: unknown): never => {
    throw thrown;
  };
  const embedded = await startEmbedded({ seed, start: START, clock, speed: 1, faucet: FAUCET, schema, onBug });
  const delays = rng.fork('latency');
  const transport = inProcessTransport({ handler: embedded.hosted, clock, latencyMs: () => 5 + delays.below(40) });
  const venue = await driven(
    clock,
    connectHosted({
      transport,
      clock,
      rng: rng.fork('venue'),
      wallet: walletOf(newSecretKey()),
      schema,
      polling: config.polling,
      sessionKey: newSecretKey(),
      log: QUIET,
      firstNonce: 1,
      markets: ['BTCUSDC'],
    }),
  );
  const state = memoryState();
  const decide = deciderOf(strategy, params, { rng: rng.fork('strategy'), markets: venue.feed.markets });
  const names = { run: 'virtual', strategy: name, exchange: 'embedded' };
  const trading = startTrading({ clock, venue, state, decide, limits: config.limits, params, seed, name: names });
  stopAfter(trading.run, { clock, spanMs: seconds * 1000 });
  const ending = await driven(clock, trading.run.done);
  const summary = trading.summary();
  await venue.gateway.close();
  await embedded.close();
  return { ending, summary, lines: state.lines, recording: state.recording };
}

/** Lets virtual time pass until the promise has settled. */
export async function driven<T>(clock: VirtualClock, promise: Promise<T>): Promise<T> {
  let settled = false;
  const done = () => {
    settled = true;
  };
  promise.then(done, done);
  await clock.drive(clock.now() + 86_400_000, () => settled);
  return promise;
}
