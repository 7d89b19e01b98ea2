// Book bytes in, signed order bytes out: everything that happens between an answer of the exchange and the next action.
import { assert } from '../src/base/assert.ts';
import type { HttpReply } from '../src/base/transport.ts';
import { type HostedClient, hostedClient } from '../src/exchange/hosted/client.ts';
import { rulesFrom } from '../src/risk/rules.ts';
import type { Params } from '../src/strategy/contract.ts';
import { loadStrategy } from '../src/strategy/loader.ts';
import { bundledSchema } from '../src/wire/schema.ts';
import { newSecretKey } from '../src/wire/signing.ts';
import { Bot } from './bot.ts';
import { type Bench, contest, type Row, spreadText, times } from './measure.ts';
import { PlainClient } from './plain-client.ts';
import { lookAround, type Seat, takeSeat } from './seat.ts';

const AIM_MICROS = 150;
const AIM_TIMES = 4;
const LONG_BOOK = 20_000;
const PATH = '/market/0/orderbook';

const plain = new PlainClient({ schema: bundledSchema().text, secret: newSecretKey() });

export const turn: Bench = async () => {
  const seat = await takeSeat({ markets: 1 });
  try {
    const newBot = await botsAt(seat);
    const own = (await seat.transport.request({ method: 'GET', path: PATH }, { timeoutMs: 3_000, maxBytes: 1e6 })).body;
    return [
      await oneOrder(newBot, own),
      await oneOrder(newBot, lengthened(own)),
      await requote(newBot, own),
      await overLoopback(newBot, seat),
    ];
  } finally {
    await seat.close();
  }
};

type NewBot = (strategy: 'taker' | 'maker') => Bot;

/** Bots that have seen what the seat's account and market look like. The taker answers any book with one order; the maker quotes both sides, wherever the mid is. */
async function botsAt({ venue, config }: Seat): Promise<NewBot> {
  const circumstances = await lookAround(venue);
  const market = venue.feed.markets[0];
  assert(market !== undefined, 'the exchange lists no market');
  const rules = rulesFrom(config.limits);
  const [twap, maker] = [await loadStrategy('twap'), await loadStrategy('lean-maker')];
  const kinds = {
    taker: { ...twap, params: { slices: 1, jitter: 0 } },
    maker: { ...maker, params: { halfLifeMs: 1, slackBps: 0.001 } },
  } satisfies Record<string, { params: Params }>;
  return (strategy) => new Bot({ market, rules, circumstances, ...kinds[strategy] });
}

async function oneOrder(newBot: NewBot, body: Uint8Array): Promise<Row> {
  const client = clientOf(body);
  const took = await contest(
    {
      ours: () => {
        const bot = newBot('taker');
        return () => sent(1, bot.answer(client));
      },
      plain: () => () => plain.answer(parsed(body), { orders: 1, timestamp: 1_760_000_000 }),
    },
    { rounds: 7, calls: 300 },
  );
  return {
    name: `turn: a book of ${kilobytes(body)} to one order`,
    figure: spreadText(took.ours),
    baseline: `plain client ${spreadText(took.plain)}`,
    ratio: times(took.plain.p50 / took.ours.p50),
    aim: `at most ${AIM_MICROS} µs`,
    met: took.ours.p50 <= AIM_MICROS,
  };
}

/** The price has moved: both quotes are cancelled and placed anew. */
async function requote(newBot: NewBot, body: Uint8Array): Promise<Row> {
  const [before, after] = [clientOf(body), clientOf(raised(body))];
  const took = await contest(
    {
      ours: async () => {
        const bot = newBot('maker');
        bot.rest(await bot.see(before));
        return () => sent(4, bot.answer(after));
      },
      plain: () => () => plain.answer(parsed(body), { orders: 4, timestamp: 1_760_000_000 }),
    },
    { rounds: 7, calls: 300 },
  );
  return {
    name: `turn: a book of ${kilobytes(body)} to two cancels and two orders`,
    figure: spreadText(took.ours),
    baseline: `plain client, four orders ${spreadText(took.plain)}`,
    ratio: times(took.plain.p50 / took.ours.p50),
    aim: '',
    met: undefined,
  };
}

/** With the requests that it takes: the book by either, and by the plain client the exchange's time before it may sign, which we know from polling. */
async function overLoopback(newBot: NewBot, { client, url }: Seat): Promise<Row> {
  const fetched = async (path: string): Promise<unknown> => (await fetch(url + path)).json();
  const took = await contest(
    {
      ours: () => {
        const bot = newBot('taker');
        return () => sent(1, bot.answer(client));
      },
      plain: () => async () => {
        const book = await fetched(PATH);
        return plain.answer(book, { orders: 1, timestamp: Number(await fetched('/timestamp')) });
      },
    },
    { rounds: 7, calls: 150 },
  );
  const ratio = took.plain.p50 / took.ours.p50;
  return {
    name: 'turn: the same, with the requests over loopback',
    figure: spreadText(took.ours),
    baseline: `plain client with fetch ${spreadText(took.plain)}`,
    ratio: times(ratio),
    aim: `at least ${AIM_TIMES}×`,
    met: ratio >= AIM_TIMES,
  };
}

/** A bot that sends less than it should is not fast. */
async function sent(count: number, answer: Promise<readonly Uint8Array[]>): Promise<void> {
  const sealed = await answer;
  assert(sealed.length === count, `${sealed.length} actions were sent, not ${count}`);
}

/** Gets this body whatever it asks for. */
function clientOf(body: Uint8Array): HostedClient {
  const reply: HttpReply = { status: 200, contentType: 'application/json', body };
  return hostedClient({ transport: { request: () => Promise.resolve(reply), close: () => Promise.resolve() } });
}

interface BookJson {
  readonly updateId: number;
  readonly bids: readonly (readonly [price: number, size: number])[];
  readonly asks: readonly (readonly [price: number, size: number])[];
}

const decoder = new TextDecoder();
const parsed = (body: Uint8Array): BookJson => JSON.parse(decoder.decode(body)) as BookJson;
const written = (book: BookJson): Uint8Array => new TextEncoder().encode(JSON.stringify(book));
const kilobytes = (body: Uint8Array): string => `${(body.length / 1_000).toFixed(1)} KB`;

/** With further levels behind the worst, up to the length of a deep market's book. */
function lengthened(body: Uint8Array): Uint8Array {
  const book = parsed(body);
  const [bids, asks] = [[...book.bids], [...book.asks]];
  while (written({ ...book, bids, asks }).length < LONG_BOOK) {
    for (let level = 0; level < 20; level++) {
      bids.push([tick((bids.at(-1)?.[0] ?? 0) - 0.1), 0.0123]);
      asks.push([tick((asks.at(-1)?.[0] ?? 0) + 0.1), 0.0123]);
    }
  }
  return written({ ...book, bids, asks });
}

function raised(body: Uint8Array): Uint8Array {
  const book = parsed(body);
  const up = (levels: BookJson['bids']) => levels.map(([price, size]) => [tick(price + 5), size] as const);
  return written({ ...book, bids: up(book.bids), asks: up(book.asks) });
}

const tick = (price: number): number => Number(price.toFixed(1));
