// The websocket of the hosted exchange: deltas of the books, and a signal after each action of the account.
import { JSON_LIMITS } from '../../base/text/json.ts';
import type { Dial } from '../../base/transport/transport.ts';
import { parseJson } from '../../base/wire/json.ts';
import type { Level } from '../../bot/domain/book.ts';
import type { AccountId } from '../../bot/domain/ids.ts';
import type { Market } from '../../bot/domain/market.ts';
import type { BookDelta } from '../shared/delta-book.ts';
import type { PushMessage, PushSource } from '../shared/push.ts';
import { lotsOf, ticksOf } from '../shared/validate.ts';
import { type DeltaFrame, streamFrame } from '../wire/json/hosted.ts';

/** Maximum number of streams per connection. */
const MAX_STREAMS = 12;

/** Opens a websocket at a path of the exchange. */
export type DialStreams = (path: string) => Dial;

interface StreamsOptions {
  readonly dial: DialStreams;
  /** The markets that are traded. */
  readonly markets: readonly Market[];
  readonly account: AccountId;
}

/** Returns several sockets if one cannot hold all streams. */
export function socketsOf({ dial, markets, account }: StreamsOptions): readonly PushSource[] {
  const streams = [{ name: `account@${account}`, ids: [] }, ...markets.map(({ id, symbol }) => ({ name: `deltas@${symbol}`, ids: [id] }))];
  const read = (text: string): PushMessage | undefined => messageIn(text, markets);
  const sockets: PushSource[] = [];
  for (let from = 0; from < streams.length; from += MAX_STREAMS) {
    const some = streams.slice(from, from + MAX_STREAMS);
    const deltaMarkets = some.flatMap(({ ids }) => ids);
    sockets.push({ dial: dial(`/ws/${some.map(({ name }) => name).join('&')}`), read, deltasOf: deltaMarkets });
  }
  return sockets;
}

/** Returns undefined for an unneeded frame. Throws for an invalid one. */
function messageIn(text: string, markets: readonly Market[]): PushMessage | undefined {
  const frame = streamFrame(parseJson(text, JSON_LIMITS.frame));
  if (frame?.kind !== 'delta') return frame && { kind: 'changed' };
  const market = markets.find(({ symbol }) => symbol === frame.delta.market_symbol);
  return market && { kind: 'delta', market: market.id, delta: deltaOf(market, frame.delta) };
}

function deltaOf(market: Market, { last_update_id, update_id, bids, asks }: DeltaFrame): BookDelta {
  const levels = (rows: DeltaFrame['bids']): readonly Level[] =>
    rows.map(([price, size]) => ({ price: ticksOf(market, price), size: lotsOf(market, size) }));
  return { lastUpdateId: last_update_id, updateId: update_id, bids: levels(bids), asks: levels(asks) };
}
