// A bot on a spot market of the embedded exchange, on virtual time, with a lagging account and lost replies.
import { VirtualClock } from '../../../src/base/clock.ts';
import { walletOf } from '../../../src/base/keys/key.ts';
import { rngFrom } from '../../../src/base/rng.ts';
import { type HttpReply, type HttpRequest, type Transport, TransportError } from '../../../src/base/transport/transport.ts';
import { newSecretKey } from '../../../src/base/wire/ed25519.ts';
import type { Summary } from '../../../src/bot/accounting/summary.ts';
import type { AccountId } from '../../../src/bot/domain/ids.ts';
import type { Intent } from '../../../src/bot/domain/intent.ts';
import type { Market } from '../../../src/bot/domain/market.ts';
import { lots, ticks } from '../../../src/bot/domain/numbers.ts';
import { KillSwitch } from '../../../src/bot/journal/kill-switch.ts';
import { limitsSchema } from '../../../src/bot/risk/rules.ts';
import { startTrading, type Trading } from '../../../src/bot/run/core/trading.ts';
import { inheritedOptions, inheritedOptionsWithoutSession } from '../../../src/bot/run/core/venue.ts';
import { defineStrategy } from '../../../src/bot/strategy/contract.ts';
import { deciderOf } from '../../../src/bot/strategy/decide.ts';
import type { View } from '../../../src/bot/strategy/view/view.ts';
import { listedAs } from '../../../src/embedded/exchange/state/listing.ts';
import type { Embedded } from '../../../src/embedded/server/embedded.ts';
import { SimDisk } from '../../../src/research/simulation/environment/disk/sim-disk.ts';
import { connectHosted } from '../../../src/venues/hosted/open.ts';
import { connectLocal } from '../../../src/venues/local/open.ts';
import { bundledSchema } from '../../../src/venues/wire/schema/schema.ts';
import { driven } from '../../driven.ts';
import { inProcessTransport } from '../../in-process.ts';
import { memoryState } from '../../memory-state.ts';
import { DEFAULTS, embeddedOn, latencies, QUIET, START } from '../../replay/virtual-run.ts';

export const SPOT = 'SOLUSDC-SPOT';
export const PERP = 'SOLUSDC';
/** The positions of a summary with one unit. */
export const HELD = { [SPOT]: '1.000' };
const SOL = 3;

export interface SpotOptions {
  readonly seed?: string;
  readonly api?: 'hosted' | 'local';
  /** Age of the accounts that the exchange shows, in milliseconds. */
  readonly lagMs?: number;
  /** Number of lost replies to the first orders. */
  readonly lost?: number;
  readonly markets?: readonly string[];
  readonly limits?: Readonly<Record<string, unknown>>;
}

/** One exchange and one account, with consecutive bots. */
export class SpotStage {
  readonly clock = new VirtualClock(START);
  readonly #options: SpotOptions;
  readonly #embedded: Embedded;
  readonly #wallet = walletOf(newSecretKey());
  #state = memoryState();
  #lost = 0;
  #account: AccountId | undefined;
  lagMs: number;
  /** Changes a reply. */
  corrupts: (reply: HttpReply, request: HttpRequest) => HttpReply = (reply) => reply;
  /** Kill switch of the running process. */
  killSwitch = new KillSwitch(new SimDisk());

  private constructor(options: SpotOptions, embedded: Embedded, clock: VirtualClock) {
    this.#options = options;
    this.#embedded = embedded;
    this.clock = clock;
    this.lagMs = options.lagMs ?? 0;
  }

  static async open(options: SpotOptions = {}): Promise<SpotStage> {
    const clock = new VirtualClock(START);
    const seed = options.seed ?? 'spot';
    const local = options.api === 'local' ? { localPort: 0 } : {};
    const embedded = await embeddedOn(clock, { seed, markets: listedAs([PERP, SPOT]), ...local });
    return new SpotStage(options, embedded, clock);
  }

  /** Our balance of the base token, from the exchange's own record. */
  get sol(): number {
    const account = this.#account === undefined ? undefined : this.#embedded.exchange.account(this.#account);
    return account?.balances.find(({ tokenId }) => tokenId === SOL)?.amount ?? 0;
  }

  /** Our position in the perpetual of the token, from the exchange's own record. */
  get perp(): number {
    const account = this.#account === undefined ? undefined : this.#embedded.exchange.account(this.#account);
    const size = account?.positions.find(({ market }) => market === this.#market(PERP).id)?.size ?? lots(0);
    return this.#market(PERP).size(size);
  }

  /** Price of the token, from the exchange's own record. */
  get index(): number {
    const market = this.#market(PERP);
    return market.price(this.#embedded.exchange.live(market.id)?.index ?? ticks(0));
  }

  /** Our trades, from the exchange's own record. */
  get trades(): number {
    return this.#embedded.exchange.records.tradesSince({ takerId: this.#account, since: 0 }, { after: 0, most: 1e6 }).length;
  }

  /** Number, volume and fees of our trades, from the exchange's own record. */
  get traded(): { readonly fills: number; readonly volume: number; readonly fees: number } {
    const list = (query: object) => this.#embedded.exchange.records.tradesSince({ ...query, since: 0 }, { after: 0, most: 1e6 });
    const made = list({ makerId: this.#account }).map((trade) => ({ trade, fee: trade.makerFee }));
    const taken = list({ takerId: this.#account }).map((trade) => ({ trade, fee: trade.takerFee }));
    const sum = { fills: 0, volume: 0, fees: 0 };
    for (const { trade, fee } of [...made, ...taken]) {
      const market = this.#embedded.exchange.markets.find(({ id }) => id === trade.market);
      sum.fills += 1;
      sum.volume += (market?.notional(trade.price, trade.size) ?? 0) / 1e6;
      sum.fees += fee / 1e6;
    }
    return sum;
  }

  deposit(size: number): void {
    if (this.#account === undefined) throw new Error('no account to deposit to');
    const funds = { account: this.#account, token: SOL, amount: this.#market(SPOT).lots(size) };
    this.#embedded.exchange.wallets.endow(funds);
    this.#embedded.exchange.wallets.deposit(funds);
  }

  /** Runs one process. `meanwhile` is called once a second with the seconds since its start, and once more just before the process is stopped. */
  async run(
    decide: (view: View) => readonly Intent[],
    { seconds, meanwhile = () => undefined }: { seconds: number; meanwhile?: (second: number, trading: Trading) => void },
  ): Promise<Summary> {
    const { clock } = this;
    const state = memoryState(this.#state.entries);
    this.#state = state;
    this.killSwitch = new KillSwitch(new SimDisk());
    const venue = await driven(clock, this.#connect(state));
    this.#account = Number(venue.gateway.account);
    const strategy = defineStrategy({ name: 'story', defaults: {}, create: () => decide });
    const trading = startTrading({
      clock,
      venue,
      state: { ...state, killSwitch: this.killSwitch },
      decide: deciderOf(strategy, {}, { rng: rngFrom('strategy'), markets: venue.feed.markets }),
      limits: limitsSchema.parse(this.#options.limits ?? {}),
      params: {},
      seed: 'story',
      name: { run: 'story', strategy: 'story', exchange: 'embedded' },
    });
    for (let second = 0; second < seconds; second++) {
      meanwhile(second, trading);
      await clock.drive(clock.now() + 1_000, () => false);
    }
    meanwhile(seconds, trading);
    trading.run.stop('the story is over');
    await driven(clock, trading.run.done);
    const summary = trading.summary();
    await venue.gateway.close();
    return summary;
  }

  #market(wanted: string): Market {
    const market = this.#embedded.exchange.markets.find(({ symbol }) => symbol === wanted);
    if (market === undefined) throw new Error(`the exchange has no market ${wanted}`);
    return market;
  }

  #connect(state: ReturnType<typeof memoryState>) {
    const { clock } = this;
    const { markets = [SPOT], api = 'hosted', seed = 'spot' } = this.#options;
    const shared = { clock, rng: rngFrom(seed).fork('venue'), polling: DEFAULTS.polling, log: QUIET, markets };
    if (api === 'local') {
      const { local } = this.#embedded;
      if (local === undefined) throw new Error('no local API');
      const transport = this.#spoilt(inProcessTransport({ handler: local, clock, latencyMs: latencies(seed) }));
      const decimals = { [SPOT]: { price: 2, size: 3 }, [PERP]: { price: 3, size: 2 } };
      return connectLocal({ ...shared, ...inheritedOptionsWithoutSession({ clock, state }), transport, decimals });
    }
    const transport = this.#spoilt(inProcessTransport({ handler: this.#embedded.hosted, clock, latencyMs: latencies(seed) }));
    return connectHosted({ ...shared, ...inheritedOptions({ clock, state }), transport, schema: bundledSchema(), wallet: this.#wallet });
  }

  #spoilt(transport: Transport): Transport {
    const shown = new Map<string, { readonly at: number; readonly reply: HttpReply }[]>();
    return {
      close: () => transport.close(),
      request: async (request, limits) => {
        const reply = this.corrupts(await transport.request(request, limits), request);
        if (isOrder(request.method, request.path) && this.#lost < (this.#options.lost ?? 0)) {
          this.#lost++;
          throw new TransportError('noReply', 'the reply was lost');
        }
        if (request.method !== 'GET' || !isAccount(request.path)) return reply;
        const seen = shown.get(request.path) ?? [];
        shown.set(request.path, [...seen, { at: this.clock.now(), reply }]);
        return (seen.findLast(({ at }) => at <= this.clock.now() - this.lagMs) ?? seen[0] ?? { reply }).reply;
      },
    };
  }
}

const isOrder = (method: string, path: string): boolean => method === 'POST' && (path.startsWith('/action') || path.startsWith('/orders'));
/** True for a path that shows holdings. The order list of the local API does not lag. */
const isAccount = (path: string): boolean => /^\/account\/\d+$/.test(path) || path.startsWith('/wallet/balances');
