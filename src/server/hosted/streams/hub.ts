// The streams of the embedded exchange: each connection names its own, and gets a frame whenever the exchange has moved.
import type { Exchange } from '../../../embedded/exchange.ts';
import type { OpenStreams } from '../../sockets.ts';
import { accountViewer } from './account-frames.ts';
import { deltaViewer, tradesViewer } from './market-frames.ts';
import { namesIn, type StreamName } from './names.ts';
import { Source } from './source.ts';

/** The exchange moves by itself once in this time. */
const STEP = 100;

export interface StreamHub {
  /** Throws `Refused` for a path that names no stream. */
  readonly open: OpenStreams;
  /** Sends what has changed. Called after everything that can move the exchange, so that a poll never shows a state between two frames. */
  readonly pump: () => void;
}

export function streamHub(exchange: Exchange): StreamHub {
  const sources = new Map<string, Source>();
  let seen = '';
  const sourceOf = (name: StreamName): Source => {
    const key = name.kind === 'account' ? `account@${name.account}` : `${name.kind}@${name.market.id}`;
    const source = sources.get(key) ?? new Source(() => viewerOf(exchange, name));
    sources.set(key, source);
    return source;
  };
  const pump = (): void => {
    if (sources.size === 0) return;
    const state = `${exchange.lastActionId()} ${Math.floor(exchange.now() / STEP)}`;
    if (state === seen) return;
    seen = state;
    for (const source of sources.values()) source.pump();
  };
  return {
    pump,
    open: (path) => {
      const wanted = namesIn(path, exchange).map(sourceOf);
      return (send) => {
        pump(); // those who listen already get what is before
        const leave = wanted.map((source) => source.listen(send));
        return () => leave.forEach((end) => end());
      };
    },
  };
}

function viewerOf(exchange: Exchange, name: StreamName) {
  if (name.kind === 'account') return accountViewer(exchange, name.account);
  return name.kind === 'deltas' ? deltaViewer(exchange, name.market) : tradesViewer(exchange, name.market);
}
