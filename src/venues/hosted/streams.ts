// The websocket of the hosted exchange: deltas of the books, and a signal after each action of the account.
import { filter, map, Observable, share } from 'rxjs';
import type { Clock } from '../../base/clock.ts';
import type { Rng } from '../../base/rng.ts';
import { JSON_LIMITS } from '../../base/text/json.ts';
import type { Dial } from '../../base/transport/transport.ts';
import { parseJson } from '../../base/wire/json.ts';
import type { Level } from '../../bot/domain/book.ts';
import type { AccountId, MarketId } from '../../bot/domain/ids.ts';
import type { Market } from '../../bot/domain/market.ts';
import type { Log } from '../../bot/exchange/kit/log.ts';
import type { BookDelta } from '../../bot/exchange/kit/streams/delta-book.ts';
import { type DeltaEvent, type EarlyBooks, earlyBooks } from '../../bot/exchange/kit/streams/early-books.ts';
import { Reconnecting } from '../../bot/exchange/kit/streams/reconnecting.ts';
import { lotsOf, ticksOf } from '../../bot/exchange/kit/streams/validate.ts';
import { type DeltaFrame, streamFrame } from '../wire/json/hosted-streams.ts';

/** Maximum number of streams per connection. */
const MAX_STREAMS = 12;

/** Opens a websocket at a path of the exchange. */
export type DialStreams = (path: string) => Dial;

interface StreamsOptions {
  readonly dial: DialStreams;
  readonly clock: Clock;
  readonly rng: Rng;
  readonly log: Log;
  /** The markets that are traded. */
  readonly markets: readonly Market[];
  /** The account to watch; if absent, only the books. */
  readonly account?: AccountId | undefined;
}

export interface HostedStreams {
  readonly booksOf: (market: Market) => EarlyBooks;
  /** Emits after each action of the account. */
  readonly changed: Observable<unknown>;
}

type Event =
  | { readonly kind: 'begins' }
  | { readonly kind: 'delta'; readonly market: MarketId; readonly delta: BookDelta }
  | { readonly kind: 'account' };

/** Connects while subscribed; uses several connections if one cannot hold all streams. */
export function hostedStreams(options: StreamsOptions): HostedStreams {
  const { markets, account, clock } = options;
  const names = markets.map(({ symbol }) => `deltas@${symbol}`);
  if (account !== undefined) names.unshift(`account@${account}`);
  const connections: Connection[] = [];
  for (let from = 0; from < names.length; from += MAX_STREAMS)
    connections.push(new Connection(options, names.slice(from, from + MAX_STREAMS)));
  const connectionOf = (name: string): Connection => connections.find((connection) => connection.names.includes(name))!;
  return {
    booksOf: (market) => {
      const connection = connectionOf(`deltas@${market.symbol}`);
      const events = connection.events.pipe(
        filter((event): event is DeltaEvent & Event => event.kind === 'begins' || (event.kind === 'delta' && event.market === market.id)),
      );
      return earlyBooks({ clock, events, restart: (reason) => connection.restart(reason) });
    },
    changed: connections[0]!.events.pipe(
      filter(({ kind }) => kind === 'account'),
      map(() => undefined),
    ),
  };
}

class Connection {
  readonly names: readonly string[];
  readonly events: Observable<Event>;
  #socket: Reconnecting | undefined;

  constructor({ dial, markets, ...tools }: StreamsOptions, names: readonly string[]) {
    this.names = names;
    const bySymbol = new Map(markets.map((market) => [market.symbol, market]));
    this.events = new Observable<Event>((listener) => {
      const socket = new Reconnecting({
        ...tools,
        dial: dial(`/ws/${names.join('&')}`),
        begins: () => listener.next({ kind: 'begins' }),
        opened: () => undefined,
        message: (text) => {
          const event = eventIn(text, bySymbol);
          this.#socket?.succeeded();
          if (event !== undefined) listener.next(event);
        },
      });
      this.#socket = socket;
      return () => socket.close();
    }).pipe(share());
  }

  restart(reason: string): void {
    this.#socket?.restart(reason);
  }
}

/** Returns undefined for an unneeded frame. Throws for an invalid one. */
function eventIn(text: string, bySymbol: ReadonlyMap<string, Market>): Event | undefined {
  const frame = streamFrame(parseJson(text, JSON_LIMITS.frame));
  if (frame?.kind === 'account') return { kind: 'account' };
  const market = frame && bySymbol.get(frame.delta.market_symbol);
  return market === undefined ? undefined : { kind: 'delta', market: market.id, delta: deltaOf(market, frame!.delta) };
}

function deltaOf(market: Market, { last_update_id, update_id, bids, asks }: DeltaFrame): BookDelta {
  const levels = (rows: DeltaFrame['bids']): readonly Level[] =>
    rows.map(([price, size]) => ({ price: ticksOf(market, price), size: lotsOf(market, size) }));
  return { lastUpdateId: last_update_id, updateId: update_id, bids: levels(bids), asks: levels(asks) };
}
