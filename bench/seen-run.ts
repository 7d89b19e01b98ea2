// A run of a built-in strategy on the embedded exchange in virtual time, as `bot run` starts it, and its recording of turns in a state directory.

import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Millis, VirtualClock } from '../src/base/clock.ts';
import { nodeDisk } from '../src/base/files/node-disk.ts';
import { walletOf } from '../src/base/keys/key.ts';
import { PACKAGE_FOLDER } from '../src/base/package.ts';
import { rngFrom } from '../src/base/rng.ts';
import { newSecretKey } from '../src/base/wire/ed25519.ts';
import { loadConfig } from '../src/bot/run/core/config.ts';
import { startTrading, stopAfter } from '../src/bot/run/core/trading.ts';
import { inheritedOptions } from '../src/bot/run/core/venue.ts';
import type { State } from '../src/bot/run/state/state.ts';
import { openRecorder } from '../src/bot/run/state/turn-recorder.ts';
import { deciderOf } from '../src/bot/strategy/decide.ts';
import { loadStrategy } from '../src/bot/strategy/loading/loader.ts';
import { marketsNamedIn } from '../src/bot/strategy/markets.ts';
import { resolveParams } from '../src/bot/strategy/params.ts';
import { listedAs } from '../src/embedded/exchange/state/listing.ts';
import { REGIMES, type RegimeName } from '../src/embedded/exchange/traders/regimes.ts';
import { NO_STATE } from '../src/embedded/recording/no-state.ts';
import { embeddedPast } from '../src/embedded/venue/open.ts';
import { connectHosted } from '../src/venues/hosted/open.ts';
import { bundledSchema } from '../src/venues/wire/schema/schema.ts';
import { driven } from '../test/driven.ts';
import { inProcessTransport } from '../test/in-process.ts';
import { embeddedOn, latencies, QUIET, START } from '../test/replay/virtual-run.ts';

interface SeenRunOptions {
  readonly name: string;
  readonly seed: string;
  readonly spanMs: Millis;
  /** How the market moves. */
  readonly market: RegimeName;
}

/** Returns the state directory. Each request takes 5 to 45 ms, drawn from the seed. */
export async function seenRun({ name, seed, spanMs, market }: SeenRunOptions): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'parity-'));
  const clock = new VirtualClock(START);
  const { strategy } = await loadStrategy(name);
  const config = loadConfig({ file: fileURLToPath(new URL(`config/${name}.yaml`, PACKAGE_FOLDER)), sets: [] });
  const params = resolveParams(strategy, config.params, () => undefined);
  const named = marketsNamedIn(params, name);
  const schema = bundledSchema();
  const regime = REGIMES[market];
  const embedded = await embeddedOn(clock, { seed, regime, markets: listedAs(named) });
  const transport = inProcessTransport({ handler: embedded.hosted, clock, latencyMs: latencies(seed) });
  const recorder = openRecorder(nodeDisk(directory), { name: `turns-${seed}`, clock });
  const state: State = { ...NO_STATE, record: recorder.record };
  const rng = rngFrom(seed);
  const options = { clock, state, schema, wallet: walletOf(newSecretKey()), rng: rng.fork('venue'), polling: config.polling, log: QUIET };
  const connecting = connectHosted({ ...options, ...inheritedOptions(options), transport, markets: named });
  const connected = await driven(clock, connecting);
  const venue = { ...connected, history: embeddedPast(embedded.exchange, { seed, regime }) };
  const decide = deciderOf(strategy, params, { rng: rng.fork('strategy'), markets: venue.feed.markets });
  const names = { run: name, strategy: name, exchange: 'embedded' };
  const trading = startTrading({ clock, venue, state, decide, limits: config.limits, params, seed, name: names, newExchange: true });
  stopAfter(trading.run, { clock, spanMs });
  await driven(clock, trading.run.done);
  recorder.close();
  await embedded.close();
  return directory;
}
