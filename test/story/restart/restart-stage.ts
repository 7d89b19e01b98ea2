// A quiet market whose price the test sets, and a run on it over the hosted API that can crash and continue from its journal.
import { Subject } from 'rxjs';
import { VirtualClock } from '../../../src/base/clock.ts';
import { walletOf } from '../../../src/base/keys/key.ts';
import { rngFrom } from '../../../src/base/rng.ts';
import type { Transport } from '../../../src/base/transport/transport.ts';
import { newSecretKey } from '../../../src/base/wire/ed25519.ts';
import type { Line } from '../../../src/bot/accounting/lines.ts';
import type { InputEvent } from '../../../src/bot/domain/event.ts';
import type { AccountId } from '../../../src/bot/domain/ids.ts';
import type { Turn } from '../../../src/bot/domain/turn.ts';
import type { Venue } from '../../../src/bot/exchange/port.ts';
import type { Trading } from '../../../src/bot/run/core/trading.ts';
import { inheritedOptions } from '../../../src/bot/run/core/venue.ts';
import type { Entry } from '../../../src/bot/run/state/entries.ts';
import { LineFiles } from '../../../src/bot/run/state/line-files.ts';
import type { Params, Strategy } from '../../../src/bot/strategy/contract.ts';
import { DEFAULT_FUNDS } from '../../../src/embedded/exchange/state/listing.ts';
import { advanceWithClock } from '../../../src/embedded/server/advance-time.ts';
import { hostedApi } from '../../../src/embedded/server/hosted/api.ts';
import { SimDisk } from '../../../src/research/simulation/environment/disk/sim-disk.ts';
import { connectHosted } from '../../../src/venues/hosted/open.ts';
import { ActionCodec } from '../../../src/venues/wire/codec.ts';
import { bundledSchema } from '../../../src/venues/wire/schema/schema.ts';
import { driven } from '../../driven.ts';
import { inProcessTransport } from '../../in-process.ts';
import { memoryState } from '../../memory-state.ts';
import { DEFAULTS, QUIET, tradeAt } from '../../replay/virtual-run.ts';
import { QuietExchange, START } from '../../unit/embedded/quiet-exchange.ts';

const SYMBOL = 'BTCUSDC';

export interface StageOptions {
  /** Parameters that differ from the defaults. */
  readonly params?: Params;
  /** Candles before the start of the stage. */
  readonly history?: Venue['history'];
}

export interface Process {
  readonly trading: Trading;
  readonly turns: readonly Turn[];
}

export class RestartStage {
  readonly clock = new VirtualClock(START);
  readonly lines: Line[] = [];
  /** Events of the strategy's inputs, by process. */
  readonly inputs = new Subject<InputEvent>();
  readonly #quiet = new QuietExchange();
  readonly #other: AccountId;
  readonly #transport: Transport;
  readonly #wallet = walletOf(newSecretKey());
  readonly #strategy: Strategy<Params>;
  readonly #params: Params | undefined;
  readonly #history: Venue['history'];
  readonly #markets: readonly string[];
  readonly #candles = new LineFiles(new SimDisk());
  readonly #resting: { readonly market: number; readonly orderId: string }[] = [];
  #state = memoryState();
  #process: (Process & { readonly venue: Venue }) | undefined;

  constructor(strategy: Strategy<Params>, price: number | Readonly<Record<string, number>>, { params, history }: StageOptions = {}) {
    const { exchange } = this.#quiet;
    const prices = typeof price === 'number' ? { [SYMBOL]: price } : price;
    this.#strategy = strategy;
    this.#params = params;
    this.#history = history;
    this.#markets = Object.keys(prices);
    this.#other = this.#quiet.user('other', 100_000_000);
    const { catchUp } = advanceWithClock({ exchange, clock: this.clock, speed: 1 });
    const handler = hostedApi({ exchange, codec: new ActionCodec(bundledSchema()), faucet: DEFAULT_FUNDS, catchUp });
    this.#transport = inProcessTransport({ handler, clock: this.clock, latencyMs: () => 20 });
    for (const [symbol, first] of Object.entries(prices)) this.price(first, symbol);
  }

  /** All entries of the journal. */
  get entries(): readonly Entry[] {
    return this.#state.entries;
  }

  /** The recording of the last process. */
  get recording(): readonly string[] {
    return this.#state.recording;
  }

  /** The running process. */
  get process(): Process {
    if (this.#process === undefined) throw new Error('no process runs');
    return this.#process;
  }

  get position(): number {
    return Number(this.process.trading.summary().positions[SYMBOL] ?? 0);
  }

  /** Sets the index, and a book of one bid and one ask a tick from it, ten coins each. */
  price(price: number, symbol = SYMBOL): this {
    const { id } = this.#quiet.market(symbol);
    const previous = this.#resting.filter(({ market }) => market === id);
    for (const order of previous) this.#quiet.exchange.cancel({ account: this.#other, ...order });
    const others = this.#resting.filter(({ market }) => market !== id);
    this.#quiet.index(symbol, price);
    for (const line of [`bid 10 ${symbol} @ ${price - 0.1}`, `ask 10 ${symbol} @ ${price + 0.1}`]) {
      const { orderId } = this.#quiet.placed(this.#other, line).posted ?? {};
      if (orderId !== undefined) others.push({ market: id, orderId });
    }
    this.#resting.splice(0, this.#resting.length, ...others);
    return this;
  }

  /** Starts a process on the journal of the previous ones. `changed` edits the journal first. */
  async start(changed: (entries: readonly Entry[]) => readonly Entry[] = (entries) => entries): Promise<this> {
    const { clock } = this;
    const journal = JSON.parse(JSON.stringify(this.#state.entries)) as Entry[]; // as read from a file
    this.#state = memoryState(changed(journal));
    const state = this.#state;
    const options = { clock, rng: rngFrom('restart').fork('venue'), polling: DEFAULTS.polling, log: QUIET, markets: this.#markets };
    const connecting = connectHosted({
      ...options,
      ...inheritedOptions({ clock, state }),
      transport: this.#transport,
      schema: bundledSchema(),
      wallet: this.#wallet,
    });
    const venue = await driven(clock, connecting);
    const trading = tradeAt(this.#history === undefined ? venue : { ...venue, history: this.#history }, {
      clock,
      seed: 'restart',
      strategy: this.#strategy,
      params: this.#params,
      state: { ...state, candles: this.#candles },
      exchange: 'quiet',
      inputs: this.inputs,
    });
    const turns: Turn[] = [];
    trading.run.turns.subscribe((turn) => turns.push(turn));
    trading.lines.subscribe((line) => this.lines.push(line));
    this.#process = { trading, turns, venue };
    return this;
  }

  async seconds(count: number): Promise<this> {
    await this.clock.drive(this.clock.now() + count * 1_000, () => false);
    return this;
  }

  /** Ends the process at once. Resting orders stay at the exchange. */
  async crash(): Promise<this> {
    const { trading, venue } = this.#process ?? {};
    trading?.run.endNow('a crash');
    if (trading !== undefined) await driven(this.clock, trading.run.done);
    await venue?.gateway.close();
    this.#process = undefined;
    return this;
  }
}
