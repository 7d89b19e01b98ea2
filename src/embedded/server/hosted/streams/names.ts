// Reads the names of streams in the path of a websocket: `/ws/deltas@BTCUSDC&account@42`.

import { badRequest, RefusedRequest } from '../../../../base/server/reply.ts';
import { percentDecoded } from '../../../../base/server/routing.ts';
import type { AccountId } from '../../../../bot/domain/ids.ts';
import type { Market } from '../../../../bot/domain/market.ts';
import type { Exchange } from '../../../exchange/exchange.ts';
import { idOf } from '../parameters.ts';
import { CANDLE_RESOLUTIONS, type CandleResolution } from './candle-frames.ts';

export type ServedStream =
  | { readonly kind: 'deltas' | 'trades'; readonly market: Market }
  | { readonly kind: 'candle'; readonly market: Market; readonly resolution: CandleResolution }
  | { readonly kind: 'account'; readonly account: AccountId };

/** Maximum number of streams per connection. */
const MAX_NAMES = 12;
const STREAM_PATH = /^\/{1,2}ws\/([^/?]+)$/;

/** Returns the streams in the path. Throws `RefusedRequest`: 404 for an unknown path, market or account, else 400. */
export function namesIn(path: string, exchange: Exchange): readonly ServedStream[] {
  const joined = STREAM_PATH.exec(path)?.[1];
  if (joined === undefined) throw new RefusedRequest(404, { message: 'unknown path; streams are at /ws/NAME&NAME…' });
  const names = percentDecoded(joined).split('&');
  if (names.length > MAX_NAMES) throw badRequest(`${names.length} streams; at most ${MAX_NAMES} are served on a connection`);
  if (new Set(names).size < names.length) throw badRequest('a stream is named twice');
  return names.map((name) => streamNamed(name, exchange));
}

function streamNamed(name: string, exchange: Exchange): ServedStream {
  const [kind, subject] = [name.slice(0, name.indexOf('@')), name.slice(name.indexOf('@') + 1)];
  if (kind === 'account') {
    const account = idOf(subject, 'the account id');
    if (exchange.feeTier(account) === undefined) throw new RefusedRequest(404, null);
    return { kind, account };
  }
  if (kind === 'candle') {
    const [symbol = '', text] = subject.split(':', 2);
    const resolution = CANDLE_RESOLUTIONS.find((known) => known === text);
    if (resolution === undefined || subject !== `${symbol}:${resolution}`)
      throw badRequest(`a stream of candles is named candle@SYMBOL:RESOLUTION, with one of ${CANDLE_RESOLUTIONS.join(', ')}`);
    return { kind, market: marketWith(symbol, exchange), resolution };
  }
  if (kind !== 'deltas' && kind !== 'trades')
    throw badRequest('a stream is named deltas@SYMBOL, trades@SYMBOL, candle@SYMBOL:RESOLUTION or account@ID, and several are joined by &');
  return { kind, market: marketWith(subject, exchange) };
}

function marketWith(name: string, { markets }: Exchange): Market {
  const market = markets.find(({ symbol }) => symbol === name);
  if (market === undefined) throw new RefusedRequest(404, { message: `there is no market ${name.slice(0, 40)}` });
  return market;
}
