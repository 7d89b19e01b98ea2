// Book bytes in, signed order bytes out: everything that happens between an answer of the exchange and the next action.
import { assert } from '../src/base/assert.ts';
import type { HttpReply } from '../src/base/transport.ts';
import { type HostedClient, hostedClient } from '../src/exchange/hosted/client/client.ts';
import { rulesFrom } from '../src/risk/rules.ts';
import { loadStrategy } from '../src/strategy/loader.ts';
import { bundledSchema } from '../src/wire/schema.ts';
import { newSecretKey } from '../src/wire/signing.ts';
import { type BookJson, lengthened, parsed, raised } from './books.ts';
import { Bot } from './bot.ts';
import { type Bench, type Contender, contest, type Row, spreadText, times } from './measure.ts';
import { PlainClient } from './plain-client.ts';
import { lookAround, type Seat, takeSeat } from './seat.ts';

/** Microseconds from bytes to bytes, and how many times that a client may take which asks for the time before it signs. */
const AIM = { micros: 150, times: 4 };
const LONG_BOOK = 20_000;
const PATH = '/market/0/orderbook';
const SOME_TIME = 1_760_000_000;

export const turn: Bench = async () => {
  const seat = await takeSeat({ markets: 1 });
  try {
    const bots = await botsAt(seat);
    const own = (await seat.transport.request({ method: 'GET', path: PATH }, { timeoutMs: 3_000, maxBytes: 1e6 })).body;
    return [
      ...(await fromBytes(bots, own)),
      ...(await fromBytes(bots, lengthened(own, LONG_BOOK))),
      ...(await overLoopback(bots, seat, own)),
    ];
  } finally {
    await seat.close();
  }
};

const plain = new PlainClient({ schema: bundledSchema().text, secret: newSecretKey() });

interface Bots {
  /** One that has seen all but a book, and answers any with one order. */
  readonly taker: () => Bot;
  /** One that quotes both sides, wherever the mid is. */
  readonly maker: () => Bot;
}

async function botsAt({ venue, config }: Seat): Promise<Bots> {
  const circumstances = await lookAround(venue);
  const market = venue.feed.markets[0];
  assert(market !== undefined, 'the exchange lists no market');
  const [twap, leanMaker] = [(await loadStrategy('twap')).strategy, (await loadStrategy('lean-maker')).strategy];
  const seen = { market, circumstances, rules: rulesFrom(config.limits) };
  return {
    taker: () => new Bot({ ...seen, strategy: twap, params: { slices: 1, jitter: 0 } }),
    maker: () => new Bot({ ...seen, strategy: leanMaker, params: { halfLifeMs: 1, slackBps: 0.001 } }),
  };
}

async function fromBytes({ taker, maker }: Bots, body: Uint8Array): Promise<readonly Row[]> {
  const [before, after] = [clientOf(body), clientOf(raised(body))];
  const book = `a book of ${(body.length / 1_000).toFixed(1)} KB`;
  const place = await duel({
    name: `turn: ${book} to one order`,
    ours: () => sending(1, { bot: taker(), client: before }),
    plain: () => () => plain.answer(parsed(body), { orders: 1, timestamp: SOME_TIME }),
    beside: 'plain client',
    aim: { text: `at most ${AIM.micros} µs`, met: ({ ours }) => ours <= AIM.micros },
  });
  const requote = await duel({
    name: `turn: ${book} to two cancels and two orders`,
    ours: async () => {
      const bot = maker();
      bot.rest(await bot.see(before));
      return sending(4, { bot, client: after });
    },
    plain: () => () => plain.answer(parsed(body), { orders: 4, timestamp: SOME_TIME }),
    beside: 'plain client, four orders',
  });
  return [place, requote];
}

/** Before it signs, the plain client asks for the exchange's time, as the exchange's own client does; we know it from polling. */
async function overLoopback({ taker }: Bots, { client, url }: Seat, body: Uint8Array): Promise<readonly Row[]> {
  const fetched = async (path: string): Promise<unknown> => (await fetch(url + path)).json();
  const answered = async (book: BookJson) => plain.answer(book, { orders: 1, timestamp: Number(await fetched('/timestamp')) });
  const seen = await duel({
    name: 'turn: the book seen, to one order',
    ours: () => sending(1, { bot: taker(), client: clientOf(body) }),
    plain: () => () => answered(parsed(body)),
    beside: 'plain client that fetches the time',
    aim: { text: `at least ${AIM.times}×`, met: ({ ours, plain }) => plain >= AIM.times * ours },
  });
  const asked = await duel({
    name: 'turn: the book asked for over loopback, to one order',
    ours: () => sending(1, { bot: taker(), client }),
    plain: () => async () => answered((await fetched(PATH)) as BookJson),
    beside: 'plain client that fetches both',
  });
  return [seen, asked];
}

interface Duel {
  readonly name: string;
  readonly ours: Contender;
  readonly plain: Contender;
  readonly beside: string;
  /** Medians in microseconds. */
  readonly aim?: { readonly text: string; readonly met: (medians: { readonly ours: number; readonly plain: number }) => boolean };
}

async function duel({ name, ours, plain, beside, aim }: Duel): Promise<Row> {
  const took = await contest({ ours, plain }, { rounds: 7, calls: 400 });
  return {
    name,
    figure: spreadText(took.ours),
    baseline: `${beside} ${spreadText(took.plain)}`,
    ratio: times(took.plain.p50 / took.ours.p50),
    aim: aim?.text ?? '',
    met: aim?.met({ ours: took.ours.p50, plain: took.plain.p50 }),
  };
}

/** A bot that sends less than it should is not fast. */
const sending =
  (count: number, { bot, client }: { bot: Bot; client: HostedClient }) =>
  async (): Promise<void> => {
    const sealed = await bot.answer(client);
    assert(sealed.length === count, `${sealed.length} actions were sent, not ${count}`);
  };

/** Gets this body whatever it asks for. */
function clientOf(body: Uint8Array): HostedClient {
  const reply: HttpReply = { status: 200, contentType: 'application/json', body };
  return hostedClient({ transport: { request: () => Promise.resolve(reply), close: () => Promise.resolve() } });
}
