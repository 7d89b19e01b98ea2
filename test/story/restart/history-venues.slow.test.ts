// The history of a strategy on the hosted and the local API of the embedded exchange: candles, trades, and the candles kept by an earlier process.
import { expect, test } from 'vitest';
import { VirtualClock } from '../../../src/base/clock.ts';
import { walletOf } from '../../../src/base/keys/key.ts';
import { rngFrom } from '../../../src/base/rng.ts';
import { newSecretKey } from '../../../src/base/wire/ed25519.ts';
import type { Line } from '../../../src/bot/accounting/lines.ts';
import { limitsSchema } from '../../../src/bot/risk/rules.ts';
import { startTrading } from '../../../src/bot/run/core/trading.ts';
import { inheritedOptions, inheritedOptionsWithoutSession } from '../../../src/bot/run/core/venue.ts';
import { LineFiles } from '../../../src/bot/run/state/line-files.ts';
import { deciderOf } from '../../../src/bot/strategy/decide.ts';
import { REGIMES } from '../../../src/embedded/exchange/traders/regimes.ts';
import type { Embedded, EmbeddedOptions } from '../../../src/embedded/server/embedded.ts';
import { type CandleView, defineStrategy, type History } from '../../../src/index.ts';
import { SimDisk } from '../../../src/research/simulation/environment/disk/sim-disk.ts';
import { connectHosted } from '../../../src/venues/hosted/open.ts';
import { connectLocal } from '../../../src/venues/local/open.ts';
import { bundledSchema } from '../../../src/venues/wire/schema/schema.ts';
import { driven } from '../../driven.ts';
import { inProcessTransport } from '../../in-process.ts';
import { memoryState } from '../../memory-state.ts';
import { DEFAULTS, embeddedOn, latencies, ONE_MARKET, QUIET, START } from '../../replay/virtual-run.ts';

const [MINUTE, HOUR] = [60_000, 3_600_000];
const SYMBOL = 'BTCUSDC';

/** An exchange, and the disk of one run on it. */
class Stage {
  readonly clock: VirtualClock;
  readonly disk = new SimDisk();
  readonly #embedded: Embedded;
  readonly #wallet = walletOf(newSecretKey());

  private constructor(embedded: Embedded, clock: VirtualClock) {
    this.#embedded = embedded;
    this.clock = clock;
  }

  static async open(options: Pick<EmbeddedOptions, 'pastMs'> = {}): Promise<Stage> {
    const clock = new VirtualClock(START);
    const regime = REGIMES.swinging; // trades are rare, so that the pages that are read cover minutes
    return new Stage(await embeddedOn(clock, { seed: 'history', markets: ONE_MARKET, regime, localPort: 0, ...options }), clock);
  }

  get mark(): number {
    const [market] = this.#embedded.exchange.markets;
    return market!.price(this.#embedded.exchange.live(market!.id)!.mark!);
  }

  pass(span: number): Promise<void> {
    return this.clock.drive(this.clock.now() + span, () => false);
  }

  /** Runs one process for some seconds. Returns the candles at its first call, and its lines. */
  async run(api: 'hosted' | 'local', history: History, seconds: number) {
    const { clock } = this;
    const state = { ...memoryState(), candles: new LineFiles(this.disk) };
    const venue = await driven(clock, this.#connect(api, state));
    const calls: { readonly at: number; readonly candles: Readonly<Record<string, readonly CandleView[]>> }[] = [];
    const strategy = defineStrategy({
      name: 'patient',
      defaults: { market: SYMBOL },
      history,
      create:
        ({ market }) =>
        (view) => {
          const names = Object.keys(history.candles) as ['1h'];
          calls.push({ at: view.now, candles: Object.fromEntries(names.map((name) => [name, view.market(market).candles(name)])) });
          return [];
        },
    });
    const trading = startTrading({
      clock,
      venue,
      state,
      decide: deciderOf(strategy, { market: SYMBOL }, { rng: rngFrom('strategy'), markets: venue.feed.markets }),
      limits: limitsSchema.parse({}),
      params: {},
      seed: 'story',
      name: { run: 'story', strategy: 'patient', exchange: api },
    });
    const lines: Line[] = [];
    trading.lines.subscribe((line) => lines.push(line));
    await this.pass(seconds * 1_000);
    trading.run.stop('the story is over');
    await driven(clock, trading.run.done);
    await venue.gateway.close();
    return { first: calls[0], waits: lines.filter((line) => line.kind === 'finding' && line.guard === 'history') };
  }

  #connect(api: 'hosted' | 'local', state: ReturnType<typeof memoryState>) {
    const { clock } = this;
    const shared = { clock, rng: rngFrom('venue'), polling: DEFAULTS.polling, log: QUIET, markets: [SYMBOL] };
    const { hosted, local } = this.#embedded;
    const transport = inProcessTransport({ handler: api === 'hosted' ? hosted : local!, clock, latencyMs: latencies('history') });
    if (api === 'local')
      return connectLocal({
        ...shared,
        ...inheritedOptionsWithoutSession({ clock, state }),
        transport,
        decimals: { [SYMBOL]: { price: 1, size: 4 } },
      });
    return connectHosted({ ...shared, ...inheritedOptions({ clock, state }), transport, schema: bundledSchema(), wallet: this.#wallet });
  }
}

const starts = (candles: readonly CandleView[]): readonly number[] => candles.map(({ start }) => start);
const gaps = (candles: readonly CandleView[], span: number): readonly number[] =>
  starts(candles).filter((start, index) => index > 0 && start !== candles[index - 1]!.start + span);

test('the local API gives two hundred hours of candles without a gap, up to the present price', async () => {
  const stage = await Stage.open();
  await stage.pass(90_000);
  const { first, waits } = await stage.run('local', { candles: { '1h': 200, '15m': 20 } }, 5);
  expect(waits).toEqual([]);
  const hours = first!.candles['1h']!.slice(-200);
  expect(hours).toHaveLength(200);
  expect(gaps(hours, HOUR)).toEqual([]);
  expect(hours.at(-1)!.start).toBe(START - HOUR);
  expect(Math.abs(hours.at(-1)!.close / stage.mark - 1)).toBeLessThan(0.01);
  expect(first!.candles['15m']!.length).toBeGreaterThanOrEqual(20);
});

test('on the hosted API the history is built from its list of trades', async () => {
  const stage = await Stage.open();
  await stage.pass(6 * MINUTE + 10_000);
  const { first, waits } = await stage.run('hosted', { candles: { '1m': 4 } }, 10);
  expect(waits).toEqual([]);
  expect(starts(first!.candles['1m']!).slice(-4)).toEqual([2, 3, 4, 5].map((minute) => START + minute * MINUTE));
  expect(first!.candles['1m']!.at(-1)!.volume).toBeGreaterThan(0);
});

test('on the hosted API of a new exchange the history is built from the trades before the start', async () => {
  const stage = await Stage.open({ pastMs: 3 * HOUR });
  await stage.pass(20_000);
  const { first, waits } = await stage.run('hosted', { candles: { '1m': 120, '1h': 2 } }, 10);
  expect(waits).toEqual([]);
  const minutes = first!.candles['1m']!.slice(-120);
  expect(gaps(minutes, MINUTE)).toEqual([]);
  expect(minutes.at(-1)!.start).toBe(START - MINUTE);
  expect(Math.abs(minutes.at(-2)!.close / stage.mark - 1)).toBeLessThan(0.01);
  expect(first!.candles['1h']!.at(-1)!.start).toBe(START - HOUR);
});

test('the candles of an earlier process are kept, and the rest is requested from the exchange', async () => {
  const stage = await Stage.open();
  const history: History = { candles: { '1m': 8 } };
  const earlier = await stage.run('hosted', history, 500);
  expect(earlier.waits.length).toBeGreaterThan(0);
  expect(earlier.first!.at).toBeGreaterThan(START + 7 * MINUTE);
  const seen = earlier.first!.candles['1m']!;
  await stage.pass(2 * MINUTE);
  const later = await stage.run('hosted', history, 10);
  expect(later.waits).toEqual([]);
  const shown = later.first!.candles['1m']!;
  expect(shown.length).toBeGreaterThanOrEqual(8);
  expect(gaps(shown, MINUTE)).toEqual([]);
  const both = shown.filter(({ start }) => seen.some((one) => one.start === start));
  expect(both.length).toBeGreaterThan(3);
  for (const candle of both) expect(candle).toEqual(seen.find(({ start }) => start === candle.start));
});

test('a damaged history file loses only its damaged lines', async () => {
  const stage = await Stage.open();
  await stage.run('hosted', { candles: { '1m': 4 } }, 400);
  const file = `candles-${SYMBOL}-1m.csv`;
  const lines = new TextDecoder().decode(stage.disk.read(file)).split('\n');
  expect(lines.length).toBeGreaterThan(6);
  const cut = [`${lines[0]!.slice(0, 9)}${lines[1]}`, 'not,a,candle', '', ...lines.slice(2)].join('\n');
  stage.disk.replace(file, new TextEncoder().encode(cut));
  const later = await stage.run('hosted', { candles: { '1m': 4 } }, 10);
  expect(later.waits).toEqual([]);
  expect(gaps(later.first!.candles['1m']!, MINUTE)).toEqual([]);
});
