// The websocket streams of the embedded exchange. A connection names its streams in the path and receives a frame after each change.
import type { Exchange } from '../../../embedded/exchange.ts';
import { STEP } from '../../../embedded/rules/step.ts';
import type { OpenStreams } from '../../sockets.ts';
import { accountViewer } from './account-frames.ts';
import { deltaViewer, tradesViewer } from './market-frames.ts';
import { namesIn, type ServedStream } from './names.ts';
import { StreamPublisher } from './publisher.ts';

export interface StreamHub {
  /** Throws `Refused` for a path that names no stream. */
  readonly open: OpenStreams;
  /** Sends the changes since the previous call. Called after each request and each step, so that a poll never shows a state between two frames. */
  readonly sendChanges: () => void;
}

export function streamHub(exchange: Exchange): StreamHub {
  const sources = new Map<string, StreamPublisher>();
  let sentState = '';
  const sourceOf = (name: ServedStream): StreamPublisher => {
    const key = name.kind === 'account' ? `account@${name.account}` : `${name.kind}@${name.market.id}`;
    const source = sources.get(key) ?? new StreamPublisher(() => viewerOf(exchange, name));
    sources.set(key, source);
    return source;
  };
  const sendChanges = (): void => {
    if (sources.size === 0) return;
    const state = `${exchange.lastActionId()} ${Math.floor(exchange.now() / STEP)}`;
    if (state === sentState) return;
    sentState = state;
    for (const source of sources.values()) source.sendChanges();
  };
  return {
    sendChanges,
    open: (path) => {
      const wanted = namesIn(path, exchange).map(sourceOf);
      return (send) => {
        sendChanges(); // sends earlier changes to existing listeners only
        const ends = wanted.map((source) => source.listen(send));
        return () => ends.forEach((end) => end());
      };
    },
  };
}

function viewerOf(exchange: Exchange, name: ServedStream) {
  if (name.kind === 'account') return accountViewer(exchange, name.account);
  return name.kind === 'deltas' ? deltaViewer(exchange, name.market) : tradesViewer(exchange, name.market);
}
