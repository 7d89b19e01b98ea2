// The rule of grid.ts at the exchange of a backtest, as peer.py plays it at theirs: without guards, accounting, report, or other polling.

import { VirtualClock } from '../../src/base/clock.ts';
import { assert } from '../../src/base/errors.ts';
import type { Side } from '../../src/bot/domain/book.ts';
import type { AccountId, OrderId } from '../../src/bot/domain/ids.ts';
import type { Market } from '../../src/bot/domain/market.ts';
import { type Lots, lots, micros, type Ticks, ticks } from '../../src/bot/domain/numbers.ts';
import { EmbeddedNetwork } from '../../src/embedded/adapter/network.ts';
import { Exchange } from '../../src/embedded/exchange/exchange.ts';
import { commonSpan, listingOf } from '../../src/embedded/recording/tapes.ts';
import { openTape } from '../../src/embedded/tape/reader.ts';
import { TapePlayer } from '../../src/research/backtest/tape-player.ts';
import type { Request } from './ours.ts';

/** `volume` in quote money, `position` in base units. */
export interface Traded {
  readonly fills: number;
  readonly volume: number;
  readonly position: number;
}

interface Own {
  readonly side: Side;
  /** In ticks. */
  readonly price: number;
  /** Undefined until the answer has arrived. */
  orderId: OrderId | undefined;
  leaving: boolean;
}

/** Plays the rule. Its first look is one interval after the first row, latency included, as in hftbacktest. */
export async function playRule({ file, params, latencyMs, fees, lookMs }: Request): Promise<Traded> {
  const tape = await openTape(file);
  const { from, to } = commonSpan([tape]);
  const player = new TapePlayer(tape);
  const clock = new VirtualClock(from);
  const recording = {
    rows: player.rows,
    queue: { kind: 'conservative' } as const,
    depth: 1,
    fundingInterval: tape.header.fundingIntervalMs,
  };
  const exchange = new Exchange({ seed: 'peers', start: from, ...listingOf([tape]), recordings: [recording], fees });
  const grid = new RuledGrid({ exchange, clock, latencyMs, params });
  const look = (): void => {
    grid.look();
    clock.at(clock.now() + lookMs, look);
  };
  clock.at(from + lookMs - latencyMs, look);
  while (clock.now() < to) {
    if (player.horizon < to) await player.load();
    clock.advanceTo(Math.max(clock.now(), Math.min(to, player.horizon)));
  }
  await player.close();
  await tape.close();
  return grid.traded;
}

interface Parts {
  readonly exchange: Exchange;
  readonly clock: VirtualClock;
  readonly latencyMs: number;
  readonly params: Request['params'];
}

class RuledGrid {
  readonly #exchange: Exchange;
  readonly #network: EmbeddedNetwork;
  readonly #account: AccountId;
  readonly #market: Market;
  readonly #levels: number;
  readonly #step: number;
  readonly #size: Lots;
  readonly #most: number;
  /** By price and side. */
  readonly #orders = new Map<number, Own>();
  readonly #resting = new Map<OrderId, number>();
  #newest = 0;
  #position = 0;
  #fills = 0;
  #volume = 0;

  constructor({ exchange, clock, latencyMs, params }: Parts) {
    const [market] = exchange.markets;
    assert(market !== undefined, 'a tape has a market');
    const sent = { draw: () => ({ there: latencyMs, back: latencyMs }) };
    this.#network = new EmbeddedNetwork({ exchange, clock, latency: { sent, seen: { draw: () => ({ there: 0, back: latencyMs }) } } });
    this.#exchange = exchange;
    this.#account = exchange.register('peers', micros(100_000e6));
    this.#market = market;
    this.#levels = params.levels;
    this.#step = market.restAt('bid', params.spacing);
    this.#size = market.lots(params.size);
    this.#most = market.lots(params.maxPosition);
  }

  get traded(): Traded {
    return { fills: this.#fills, volume: this.#volume / 1e6, position: this.#position * this.#market.size(lots(1)) };
  }

  look(): void {
    const { id } = this.#market;
    this.#network.request(
      'seen',
      () => {
        const book = this.#exchange.book(id);
        const fills = this.#exchange.records.tradesSince({ makerId: this.#account }, { after: this.#newest, most: 1_000 });
        this.#newest = Number(fills.at(-1)?.tradeId ?? this.#newest);
        return { bid: book?.bids[0]?.price, ask: book?.asks[0]?.price, fills };
      },
      ({ bid, ask, fills }) => {
        for (const { orderId, takerSide, price, size } of fills) this.#filled(orderId, takerSide, { price, size });
        if (bid !== undefined && ask !== undefined && bid < ask) this.#quote((bid + ask) / 2);
      },
    );
  }

  #filled(orderId: OrderId, takerSide: Side, { price, size }: { price: Ticks; size: Lots }): void {
    this.#fills++;
    this.#volume += this.#market.notional(price, size);
    this.#position += takerSide === 'ask' ? size : -size;
    const key = this.#resting.get(orderId);
    if (key !== undefined) this.#forget(key, orderId);
  }

  #quote(mid: number): void {
    const [levels, step] = [this.#levels, this.#step];
    const centre = Math.floor(mid / step + 0.5) * step;
    const wantedOf = { bid: this.#position < this.#most ? levels : 0, ask: this.#position > -this.#most ? levels : 0 };
    for (const [key, own] of this.#orders) {
      const away = own.side === 'bid' ? centre - own.price : own.price - centre;
      const wanted = away > 0 && away % step === 0 && away / step <= wantedOf[own.side];
      if (!wanted && own.orderId !== undefined && !own.leaving) this.#cancel(key, own, own.orderId);
    }
    for (let away = 1; away <= levels; away++) {
      if (away <= wantedOf.bid) this.#want('bid', centre - away * step);
      if (away <= wantedOf.ask) this.#want('ask', centre + away * step);
    }
  }

  #want(side: Side, price: number): void {
    const key = 2 * price + (side === 'bid' ? 0 : 1);
    if (this.#orders.has(key)) return;
    const own: Own = { side, price, orderId: undefined, leaving: false };
    this.#orders.set(key, own);
    this.#network.request(
      'sent',
      () =>
        this.#exchange.place({
          account: this.#account,
          market: this.#market.id,
          side,
          fillMode: 'POST_ONLY',
          price: ticks(price),
          size: this.#size,
        }),
      (outcome) => {
        const orderId = outcome.kind === 'accepted' ? outcome.posted?.orderId : undefined;
        if (orderId === undefined) return void this.#orders.delete(key);
        own.orderId = orderId;
        this.#resting.set(orderId, key);
      },
    );
  }

  #cancel(key: number, own: Own, orderId: OrderId): void {
    own.leaving = true;
    this.#network.request(
      'sent',
      () => this.#exchange.cancel({ account: this.#account, orderId }),
      ({ kind }) => {
        if (kind === 'accepted') this.#forget(key, orderId);
      },
    );
  }

  #forget(key: number, orderId: OrderId): void {
    this.#orders.delete(key);
    this.#resting.delete(orderId);
  }
}
