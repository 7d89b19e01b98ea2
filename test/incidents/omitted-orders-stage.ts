// An exchange whose accounts omit resting orders for longer than any lag, and the tests that no level is doubled and trading goes on by itself.
import { describe, expect, onTestFinished, test } from 'vitest';
import { VirtualClock } from '../../src/base/clock.ts';
import { walletOf } from '../../src/base/keys/key.ts';
import { rngFrom } from '../../src/base/rng.ts';
import type { HttpReply, HttpRequest } from '../../src/base/transport/transport.ts';
import { newSecretKey } from '../../src/base/wire/ed25519.ts';
import type { Params, Strategy } from '../../src/bot/strategy/contract.ts';
import { loadStrategy } from '../../src/bot/strategy/loading/loader.ts';
import type { Embedded } from '../../src/embedded/server/embedded.ts';
import { bundledSchema } from '../../src/venues/wire/schema/schema.ts';
import { driven } from '../driven.ts';
import { inProcessTransport } from '../in-process.ts';
import { memoryState } from '../memory-state.ts';
import { type Bot, latencies, livelyExchange, START, startBot } from '../replay/virtual-run.ts';
import { FaultyTransport, NO_FAULTS } from './faulty-transport.ts';

/** Orders a side of the grid. */
export const LEVELS = 5;
export const [FIRST, LAST] = [20, 60];

/** Returns true for an order of the account that is omitted. */
type Omits = (order: { readonly side: string; readonly rank: number }) => boolean;

export interface Lie {
  readonly omits: Omits;
  readonly seconds: number;
  /** True if `openOrders` counts only the orders that are listed. */
  readonly countsToo?: boolean;
  /** True if a read of one order answers as if there was none. */
  readonly readsToo?: boolean;
}

export const ALL: Omits = () => true;
export const HALF: Omits = ({ rank }) => rank % 2 === 0;
export const ASKS: Omits = ({ side }) => side === 'ask';

/** Changes the text of a reply, because ids above 2^53 do not survive a parser. */
function withoutOrders({ body, ...reply }: HttpReply, { omits, countsToo = false }: Lie): HttpReply {
  const text = Buffer.from(body).toString();
  const [, all = ''] = /"orders":\[(.*?)\]/.exec(text) ?? [];
  const orders = all === '' ? [] : all.slice(1, -1).split('},{');
  const left = orders.filter((order, rank) => !omits({ side: /"side":"(\w+)"/.exec(order)?.[1] ?? '', rank }));
  const listed = text.replace(`"orders":[${all}]`, `"orders":[${left.map((order) => `{${order}}`).join(',')}]`);
  return { ...reply, body: Buffer.from(countsToo ? listed.replace(/"openOrders":\d+/, `"openOrders":${left.length}`) : listed) };
}

export class LyingExchange {
  readonly clock: VirtualClock;
  readonly network: FaultyTransport;
  readonly #seed: string;
  readonly #embedded: Embedded;
  readonly #wallet = walletOf(newSecretKey());
  #lie: Lie | undefined;
  #bot: Bot | undefined;
  static async open(seed: string): Promise<LyingExchange> {
    const clock = new VirtualClock(START);
    const stage = new LyingExchange(seed, await livelyExchange(clock, seed), clock);
    onTestFinished(() => stage.#embedded.close());
    return stage;
  }

  private constructor(seed: string, embedded: Embedded, clock: VirtualClock) {
    this.#seed = seed;
    this.clock = clock;
    this.#embedded = embedded;
    const inner = inProcessTransport({ handler: embedded.hosted, clock, latencyMs: latencies(seed) });
    this.network = new FaultyTransport(inner, { clock, rng: rngFrom(seed).fork('network'), faults: NO_FAULTS });
    this.network.corrupts = (reply, request) => this.#answer(reply, request);
  }

  #answer(reply: HttpReply, { method, path }: HttpRequest): HttpReply {
    if (this.#lie === undefined || method !== 'GET') return reply;
    if (/^\/account\/\d+$/.test(path)) return withoutOrders(reply, this.#lie);
    const isRead = /^\/account\/\d+\/orders|^\/order\//.test(path);
    return isRead && this.#lie.readsToo === true ? { ...reply, status: 404, body: Buffer.from('null') } : reply;
  }

  async start(strategy: Strategy<Params>, params: Params): Promise<Bot> {
    const { clock, network: transport } = this;
    const options = { clock, seed: this.#seed, transport, strategy, state: memoryState(), exchange: 'embedded' };
    this.#bot = await driven(clock, startBot({ ...options, params, schema: bundledSchema(), wallet: this.#wallet }));
    return this.#bot;
  }

  lie(lie: Lie | undefined): void {
    this.#lie = lie;
  }

  until(second: number): Promise<void> {
    return this.clock.drive(START + second * 1_000);
  }

  /** The bot's orders, as the exchange has them. */
  resting() {
    const account = this.#bot?.venue.gateway.account;
    return account === undefined ? [] : (this.#embedded.exchange.account(Number(account))?.orders ?? []);
  }

  /** Returns the most orders at one price, and the most resting orders that the bot does not count as its own, at any time until `second`. */
  async watched(second: number): Promise<{ readonly atOnePrice: number; readonly givenUp: number }> {
    let [atOnePrice, givenUp] = [0, 0];
    while (this.clock.now() < START + second * 1_000) {
      await this.clock.drive(this.clock.now() + 200);
      const resting = this.resting();
      const counts = new Map<string, number>();
      for (const { side, price } of resting) counts.set(`${side} ${price}`, (counts.get(`${side} ${price}`) ?? 0) + 1);
      atOnePrice = Math.max(atOnePrice, ...counts.values());
      const own = new Set(this.#bot?.trading.run.world.orders().map(({ clientOrderId }) => clientOrderId));
      givenUp = Math.max(givenUp, resting.filter(({ clientOrderId }) => clientOrderId === undefined || !own.has(clientOrderId)).length);
    }
    return { atOnePrice, givenUp };
  }

  async stop(): Promise<void> {
    this.lie(undefined);
    this.network.drops = () => false;
    const { trading, venue } = this.#bot!;
    trading.run.stop('the test ends');
    expect(await driven(this.clock, trading.run.done)).toEqual({ kind: 'settled' });
    await venue.gateway.close();
    expect(this.resting()).toEqual([]);
  }
}

export const NOT_DOUBLED = { atOnePrice: 1, givenUp: 0 };

export function testLies(lies: readonly (readonly [string, Lie])[]): void {
  describe.each(lies)('an account that omits %s', (_, lie) => {
    test('doubles no level, and trading goes on', async () => {
      const stage = await LyingExchange.open('omitted');
      const { trading } = await stage.start((await loadStrategy('grid')).strategy, { levels: LEVELS, maxPositionNotional: 5_000 });
      const [wasAsked, outcomes] = [new Set<string>(), new Set<string>()];
      trading.run.turns.subscribe((turn) => {
        for (const event of turn.events)
          if (event.kind === 'cancelAnswered' && wasAsked.delete(event.clientOrderId)) outcomes.add(event.outcome);
        for (const action of turn.actions) if (action.kind === 'cancel' && action.unlessOpen === true) wasAsked.add(action.clientOrderId);
      });
      await stage.until(FIRST);
      expect(stage.resting().length).toBeGreaterThan(LEVELS);
      stage.lie(lie);
      expect(await stage.watched(FIRST + lie.seconds)).toEqual(NOT_DOUBLED);
      expect(outcomes.has('open')).toBe(lie.countsToo === true && lie.readsToo !== true);
      expect(outcomes.has('cancelled')).toBe(lie.readsToo === true);
      stage.lie(undefined);
      expect(await stage.watched(LAST)).toEqual(NOT_DOUBLED);
      expect(stage.resting().length).toBeGreaterThan(LEVELS);
      expect(trading.run.world.ghosts).toBe(0);
      await stage.stop();
    });
  });
}
