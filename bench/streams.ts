// Measures how long a change of the book takes to the events that a strategy decides on: by polling, and by the websocket, of one exchange at a time.
import { systemClock } from '../src/base/clock.ts';
import { httpTransport } from '../src/base/transport/http.ts';
import { dialAt } from '../src/base/transport/socket.ts';
import { compareIds } from '../src/bot/domain/ids.ts';
import { DEFAULT_POLLING } from '../src/bot/exchange/kit/streams/polling.ts';
import type { Embedded } from '../src/embedded/server/embedded.ts';
import { embeddedOn } from '../test/replay/virtual-run.ts';
import { newUserAt } from './connection.ts';
import { type Bench, median, quantile, times } from './measure.ts';

const SPAN = 20_000;
/** How often the exchange itself is looked at for changes. */
const LOOK_EVERY = 1;
const AIM = 5;

const text = (values: readonly number[]): string =>
  `${median(values).toFixed(1)} ms (p99 ${quantile(values, 0.99).toFixed(0)}, ${values.length} changes)`;

export const streams: Bench = async () => {
  const embedded = await embeddedOn(systemClock, { seed: 'streams', port: 0 });
  const changes = new Changes(embedded);
  const [polled, streamed] = [await venueAt(embedded, false), await venueAt(embedded, true)];
  const delays = { polled: changes.delaysOf(polled.seen), streamed: changes.delaysOf(streamed.seen) };
  await new Promise((resolve) => setTimeout(resolve, SPAN));
  changes.stop();
  await polled.close();
  await streamed.close();
  await embedded.close();
  const ratio = median(delays.polled) / median(delays.streamed);
  return [
    {
      name: 'streams: a change of the book, to the event of a turn',
      figure: text(delays.streamed),
      baseline: `polls of ${DEFAULT_POLLING.orderBookMs} ms: ${text(delays.polled)}`,
      ratio: times(ratio),
      aim: `at least ${AIM}×`,
      met: ratio >= AIM,
    },
  ];
};

/** When the book of the first market got each of its numbers. */
class Changes {
  readonly #changes: { readonly updateId: string; readonly at: number }[] = [];
  readonly #timer: NodeJS.Timeout;

  constructor({ exchange }: Embedded) {
    let last = exchange.book(0)?.updateId;
    this.#timer = setInterval(() => {
      const updateId = exchange.book(0)?.updateId;
      if (updateId === undefined || updateId === last) return;
      last = updateId;
      this.#changes.push({ updateId, at: performance.now() });
    }, LOOK_EVERY);
  }

  /** The milliseconds from each change to the first book that is not older; filled as books come. */
  delaysOf(seen: (listener: (updateId: string) => void) => void): number[] {
    const delays: number[] = [];
    let next = this.#changes.length;
    seen((updateId) => {
      const now = performance.now();
      for (
        let change = this.#changes[next];
        change !== undefined && compareIds(change.updateId, updateId) <= 0;
        change = this.#changes[++next]
      )
        delays.push(now - change.at);
    });
    return delays;
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}

async function venueAt({ url = '' }: Embedded, isStreamed: boolean) {
  const transport = httpTransport({ origin: url, connections: 16 });
  const dialStreams = isStreamed ? dialAt(url) : undefined;
  const venue = await newUserAt(transport, { polling: DEFAULT_POLLING, markets: ['BTCUSDC'], dialStreams });
  return {
    seen: (listener: (updateId: string) => void) => {
      venue.gateway.events.subscribe();
      venue.feed.events.subscribe((event) => {
        if (event.kind === 'bookSeen') listener(event.book.updateId);
      });
    },
    close: async () => {
      await venue.gateway.close();
      await transport.close();
    },
  };
}
