// The websocket streams of the embedded exchange. A connection names its streams in the path and receives a frame after each change.

import type { OpenStreams } from '../../../../base/server/sockets.ts';
import type { Exchange } from '../../../exchange/exchange.ts';
import { whenChanged } from '../../when-changed.ts';
import { accountFrames } from './account-frames.ts';
import { candleFrames } from './candle-frames.ts';
import { deltaFrames, tradeFrames } from './market-frames.ts';
import { namesIn, type ServedStream } from './names.ts';
import { StreamPublisher } from './publisher.ts';

export interface StreamHub {
  /** Throws `RefusedRequest` for a path that names no stream. */
  readonly open: OpenStreams;
  /** Sends the changes since the previous call. Called after each request and each step, so that a poll never shows a state between two frames. */
  readonly sendChanges: () => void;
}

export function streamHub(exchange: Exchange): StreamHub {
  const publishers = new Map<string, StreamPublisher>();
  const publisherOf = (name: ServedStream): StreamPublisher => {
    const key = keyOf(name);
    const publisher = publishers.get(key) ?? new StreamPublisher(() => framesOf(exchange, name));
    publishers.set(key, publisher);
    return publisher;
  };
  const sendChanges = whenChanged(exchange, () => {
    for (const publisher of publishers.values()) publisher.sendChanges();
  });
  return {
    sendChanges,
    open: (path) => {
      const wanted = namesIn(path, exchange).map(publisherOf);
      return (send) => {
        sendChanges(); // sends earlier changes to existing listeners only
        const ends = wanted.map((publisher) => publisher.listen(send));
        return () => ends.forEach((end) => end());
      };
    },
  };
}

function keyOf(name: ServedStream): string {
  if (name.kind === 'account') return `account@${name.account}`;
  return name.kind === 'candle' ? `candle@${name.market.id}:${name.resolution}` : `${name.kind}@${name.market.id}`;
}

function framesOf(exchange: Exchange, name: ServedStream) {
  if (name.kind === 'account') return accountFrames(exchange, name.account);
  if (name.kind === 'candle') return candleFrames(exchange, name.market, name.resolution);
  return name.kind === 'deltas' ? deltaFrames(exchange, name.market) : tradeFrames(exchange, name.market);
}
