// Makes the rows of each market from recorded turns: the data that a run saw, in order of the exchange's time.
import type { Millis } from '../../base/clock.ts';
import type { Event } from '../../bot/domain/event.ts';
import type { MarketId } from '../../bot/domain/ids.ts';
import type { Market } from '../../bot/domain/market.ts';
import type { Turn } from '../../bot/domain/turn.ts';
import type { Row } from '../../embedded/rows/row-builder.ts';
import { STAMPS_PER_MILLI, type Stamp } from '../../embedded/rows/rows.ts';
import { createSorter, type Sorter } from '../../embedded/tape/sorter.ts';
import { readTimeOf } from './arrivals.ts';
import type { OwnRecord, RunOrder } from './own-orders.ts';
import { compareObservations, type Observation, OthersRows } from './rows-of-others.ts';

/** Maximum delay of a trade behind a newer book. */
const DISORDER: Stamp = 10_000_000;

export interface TurnRowsOptions {
  readonly record: OwnRecord;
  /** False if the rows have the data of the polls alone. */
  readonly evidence: boolean;
  readonly markets: readonly Pick<Market, 'id' | 'spec'>[];
  readonly add: (market: MarketId, row: Row) => void;
}

export class TurnRows {
  readonly #record: OwnRecord;
  readonly #sorters: readonly Sorter<Observation>[];
  /** The observations known only from our own orders, by time, and the index of the next one to add. */
  readonly #own: readonly { readonly market: MarketId; readonly observation: Observation }[];
  #added = 0;
  /** The time of the last poll of each market's trades. */
  readonly #polled: Millis[] = [];

  constructor({ record, evidence, markets, add }: TurnRowsOptions) {
    this.#record = record;
    const { clockOffset } = record;
    const fills = new Map(record.fills.map((fill) => [fill.tradeId, fill]));
    const orders = [...record.orders.values()].toSorted((a, b) => a.arrival - b.arrival);
    this.#sorters = markets.map(({ id, spec: { fundingHours } }) => {
      const ofMarket = orders.filter(({ market }) => market === id);
      const others = new OthersRows({ orders: ofMarket, fills, fundingHours, evidence, clockOffset, add: (row) => add(id, row) });
      return createSorter<Observation>({
        window: DISORDER,
        rank: compareObservations,
        out: (observation) => others.see(observation),
        late: (observation, behind) => ({ ...observation, time: observation.time + behind }),
      });
    });
    this.#own = [...orders.map(arrivalOf), ...unlisted(record)].toSorted((a, b) => a.observation.time - b.observation.time);
  }

  /** Takes the turns in their order. */
  see({ at, events }: Turn): void {
    for (; this.#added < this.#own.length; this.#added++) {
      const { market, observation } = this.#own[this.#added]!;
      if (observation.time > at * STAMPS_PER_MILLI) break;
      this.#sorters[market]?.add(observation);
    }
    for (const event of events) this.#addEvent(event);
  }

  end(): void {
    for (const sorter of this.#sorters) sorter.end();
  }

  #stampOf({ book, asked, at }: Extract<Event, { kind: 'bookSeen' }>): { time: Stamp; lag: Stamp } {
    const { fills, clockOffset } = this.#record;
    return stamped(readTimeOf({ asked, at, updateId: Number(book.updateId) }, fills, clockOffset), at);
  }

  #addEvent(event: Event): void {
    if (event.kind === 'bookSeen') this.#sorters[event.book.market]?.add({ kind: 'book', book: event.book, ...this.#stampOf(event) });
    else if (event.kind === 'tradesSeen') this.#addTrades(event);
    else if (event.kind === 'infoSeen') {
      for (const info of event.infos) this.#sorters[info.market]?.add({ kind: 'info', info, ...halfway(event) });
    }
  }

  /** Takes trades. A trade happened after the trades of the previous poll, and before it was received. */
  #addTrades({ at, market, trades }: Extract<Event, { kind: 'tradesSeen' }>): void {
    const { clockOffset } = this.#record;
    const from = this.#polled[market] ?? Number.NEGATIVE_INFINITY;
    for (const trade of trades) {
      const time = Math.min(at, Math.max(from, trade.time + clockOffset)) * STAMPS_PER_MILLI;
      this.#sorters[market]?.add({ kind: 'trade', trade, time, lag: at * STAMPS_PER_MILLI - time });
    }
    this.#polled[market] = Math.max(from, ...trades.map(({ time }) => time + clockOffset));
  }
}

const stamped = (readTime: Millis, at: Millis): { time: Stamp; lag: Stamp } => {
  const time = Math.round(readTime * STAMPS_PER_MILLI);
  return { time, lag: at * STAMPS_PER_MILLI - time };
};

/** Returns the middle between request and answer. */
const halfway = ({ asked, at }: { asked: Millis; at: Millis }): { time: Stamp; lag: Stamp } => stamped((asked + at) / 2, at);

const arrivalOf = (order: RunOrder): { market: MarketId; observation: Observation } => ({
  market: order.market,
  observation: { kind: 'arrival', order, time: Math.floor(order.arrival) * STAMPS_PER_MILLI, lag: 0 },
});

/** Returns our fills that no list of trades showed. */
function unlisted({ fills, listed, clockOffset }: OwnRecord): readonly { market: MarketId; observation: Observation }[] {
  return fills
    .filter(({ tradeId, role }) => role === 'maker' && !listed.has(tradeId))
    .map((fill) => ({
      market: fill.market,
      observation: { kind: 'fill', fill, time: (fill.time + clockOffset) * STAMPS_PER_MILLI, lag: 0 },
    }));
}
