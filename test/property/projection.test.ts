// The guards' projection of an order is never better than its effect at the embedded exchange.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Account } from '../../src/bot/domain/account.ts';
import { opposite, type Side, signOf } from '../../src/bot/domain/book.ts';
import type { AccountId, MarketId } from '../../src/bot/domain/ids.ts';
import type { Market } from '../../src/bot/domain/market.ts';
import { type Lots, lots, type Ticks, ticks } from '../../src/bot/domain/numbers.ts';
import type { Candidate } from '../../src/bot/risk/guard.ts';
import { project } from '../../src/bot/risk/margin-projection.ts';
import { World } from '../../src/bot/world/world.ts';
import { QuietExchange } from '../unit/embedded/quiet-exchange.ts';
import { circumstancesOf } from '../unit/risk/verdicts.ts';
import { START } from '../unit/world-builder.ts';
import { SEED } from './random-world.ts';

const perp = fc.nat({ max: 2 });
const perMille = (most: number) => fc.integer({ min: -most, max: most }).map((value) => value / 1_000);

const scenes = fc.record({
  deposit: fc.integer({ min: 1_000, max: 50_000 }),
  /** By market: value of the position as a multiple of the deposit, and the later move of the index. */
  held: fc.tuple(...[0, 1, 2].map(() => fc.record({ leverage: perMille(6_000), move: perMille(40) }))),
  resting: fc.array(fc.record({ market: perp, bid: fc.boolean(), distance: fc.integer({ min: 1, max: 50 }), leverage: perMille(1_500) }), {
    maxLength: 4,
  }),
  order: fc.record({ market: perp, bid: fc.boolean(), distance: perMille(20), leverage: fc.integer({ min: 1, max: 25_000 }) }),
});
type Scene = typeof scenes extends fc.Arbitrary<infer One> ? One : never;

class Trial {
  readonly quiet = new QuietExchange();
  readonly user: AccountId;
  readonly counterparty: AccountId;
  readonly #deposit: number;

  constructor({ deposit, held, resting }: Scene) {
    this.#deposit = deposit;
    this.user = this.quiet.user('user', deposit);
    this.counterparty = this.quiet.user('whale', 400e6);
    held.forEach(({ leverage }, market) => this.#hold(market, leverage));
    held.forEach(({ move }, market) => this.quiet.exchange.setIndex(market, this.#ticks(market, 1 + move)));
    for (const { market, bid, distance, leverage } of resting) {
      const price = this.#ticks(market, 1 + (bid ? -distance : distance) / 1_000);
      this.#place(this.user, { market, side: bid ? 'bid' : 'ask', price, size: this.size(market, Math.abs(leverage)) });
    }
  }

  account(): Account {
    return this.quiet.state(this.user);
  }

  size(market: MarketId, leverage: number): Lots {
    return this.market(market).lots((leverage * this.#deposit) / this.market(market).price(this.#ticks(market, 1)));
  }

  market(id: MarketId): Market {
    return this.quiet.exchange.markets[id] as Market;
  }

  candidate({ market, bid, distance, leverage }: Scene['order']): Candidate {
    const side = bid ? 'bid' : 'ask';
    const price = this.#ticks(market, 1 + distance);
    return {
      market: this.market(market),
      side,
      price,
      size: this.size(market, leverage / 1_000),
      fillMode: 'LIMIT',
      standing: undefined,
      reducing: false,
    };
  }

  /** The data of the bot: the account and the live prices. */
  world(): World {
    const { exchange } = this.quiet;
    const world = new World(exchange.markets);
    const at = START;
    world.apply({
      kind: 'infoSeen',
      at,
      asked: at,
      infos: exchange.markets.map(({ id }) => exchange.live(id)).filter((info) => info !== undefined),
    });
    world.apply({ kind: 'accountSeen', at, asked: at, account: this.account() });
    return world;
  }

  /** Returns the refusal; undefined if the exchange accepts the order. */
  place({ market, side, price, size }: Candidate): string | undefined {
    return this.#place(this.user, { market: market.id, side, price, size });
  }

  /** Fills the order completely. */
  meet({ market, side, price, size }: Candidate): void {
    expect(this.#place(this.counterparty, { market: market.id, side: opposite(side), price, size })).toBeUndefined();
  }

  #hold(market: MarketId, leverage: number): void {
    const size = this.size(market, Math.abs(leverage));
    if (size === 0) return;
    const side = leverage > 0 ? 'bid' : 'ask';
    const price = this.#ticks(market, 1);
    this.#place(this.counterparty, { market, side: opposite(side), price, size });
    this.#place(this.user, { market, side, price, size });
    const rest = this.quiet.state(this.counterparty).orders.at(-1);
    if (rest !== undefined) this.quiet.exchange.cancel({ account: this.counterparty, orderId: rest.orderId });
  }

  #place(account: AccountId, order: { market: MarketId; side: Side; price: Ticks; size: Lots }): string | undefined {
    const outcome = this.quiet.exchange.place({ account, fillMode: 'LIMIT', ...order });
    return outcome.kind === 'refused' ? outcome.error : undefined;
  }

  #ticks(market: MarketId, factor: number): Ticks {
    return ticks(Math.round((this.quiet.exchange.live(market)?.index ?? 0) * factor));
  }
}

/** True if the order has a size and does not trade with our own orders. */
const isFair = ({ size, side, price, market }: Candidate, { orders }: Account): boolean =>
  size > 0 && orders.every((own) => own.market !== market.id || own.side === side || signOf(side) * (price - own.price) < 0);

function tried(scene: Scene) {
  const trial = new Trial(scene);
  const candidate = trial.candidate(scene.order);
  fc.pre(isFair(candidate, trial.account()));
  const projected = project(candidate, circumstancesOf(trial.world()), { feeRate: 0.001, adverseMove: 0.02 });
  if (projected === undefined) throw new Error('nothing was projected');
  return { trial, candidate, projected };
}

const OPTIONS = { seed: SEED, numRuns: 200 };

describe('a projected order', () => {
  test('that the exchange refuses is not projected as allowed', () => {
    let refused = 0;
    fc.assert(
      fc.property(scenes, (scene) => {
        const { trial, candidate, projected } = tried(scene);
        if (trial.place(candidate) !== 'INSUFFICIENT_FUNDS') return;
        refused += 1;
        expect(projected.resting.value).toBeLessThanOrEqual(projected.resting.needed);
      }),
      OPTIONS,
    );
    expect(refused).toBeGreaterThan(20);
  });

  test('leaves no less margin than projected, resting or filled', () => {
    let filled = 0;
    fc.assert(
      fc.property(scenes, (scene) => {
        const { trial, candidate, projected } = tried(scene);
        fc.pre(trial.place(candidate) === undefined);
        const resting = trial.account().margins;
        expect(resting.omf).toBeGreaterThanOrEqual(projected.resting.value);
        expect(resting.imf).toBeLessThanOrEqual(projected.resting.needed);
        expect(resting.cmf).toBeLessThanOrEqual(projected.filledOpen!.needed);
        trial.meet(candidate);
        const { mf, mmf, omf, cmf } = trial.account().margins;
        filled += 1;
        expect(mf).toBeGreaterThanOrEqual(projected.filled.value);
        expect(mmf).toBeLessThanOrEqual(projected.filled.needed);
        expect(omf).toBeGreaterThanOrEqual(projected.filledOpen!.value);
        expect(cmf).toBeLessThanOrEqual(projected.filledOpen!.needed);
      }),
      OPTIONS,
    );
    expect(filled).toBeGreaterThan(50);
  });

  test('survives the adverse move if projected, with every order of the worse side filled', () => {
    let survived = 0;
    fc.assert(
      fc.property(scenes, (scene) => {
        const { trial, candidate, projected } = tried(scene);
        fc.pre(projected.allFilled.value > projected.allFilled.needed && trial.place(candidate) === undefined);
        trial.meet(candidate);
        const { quiet } = trial;
        const { positions } = trial.account();
        for (const { market, size } of positions) {
          const index = quiet.exchange.live(market)?.index ?? 0;
          quiet.exchange.setIndex(market, ticks(Math.round(index * (1 - Math.sign(size) * 0.02))));
        }
        const { mf, mmf } = trial.account().margins;
        survived += 1;
        expect(mf).toBeGreaterThan(mmf);
      }),
      OPTIONS,
    );
    expect(survived).toBeGreaterThan(50);
  });

  test('is liquidated no earlier than projected', () => {
    let moved = 0;
    fc.assert(
      fc.property(scenes, (scene) => {
        const { trial, candidate, projected } = tried(scene);
        const { distance } = projected;
        fc.pre(distance > 0.002 && distance < 0.9 && trial.place(candidate) === undefined);
        trial.meet(candidate);
        const { exchange } = trial.quiet;
        const held = trial.account().positions.find(({ market }) => market === candidate.market.id)?.size ?? lots(0);
        const index = exchange.live(candidate.market.id)?.index ?? 0;
        exchange.setIndex(candidate.market.id, ticks(Math.round(index * (1 - Math.sign(held) * (distance - 0.001)))));
        moved += 1;
        const { mf, mmf } = trial.account().margins;
        expect(mf).toBeGreaterThanOrEqual(mmf);
      }),
      OPTIONS,
    );
    expect(moved).toBeGreaterThan(50);
  });
});
