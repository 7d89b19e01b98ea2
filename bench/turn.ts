// Measures a turn from the bytes of a book to the signed bytes of orders: everything between an answer of the exchange and the next action.
import { assert } from '../src/base/errors.ts';
import type { HttpReply } from '../src/base/transport/transport.ts';
import { newSecretKey } from '../src/base/wire/ed25519.ts';
import { rulesFrom } from '../src/bot/risk/rules.ts';
import { loadStrategy } from '../src/bot/strategy/loading/loader.ts';
import { type HostedClient, hostedClient } from '../src/venues/client/hosted.ts';
import { bundledSchema } from '../src/venues/wire/schema/schema.ts';
import { type BookJson, lengthened, parsed, raised } from './books.ts';
import { Bot } from './bot.ts';
import { type Connection, lookAround, openConnection } from './connection.ts';
import { type Bench, type Contender, contest, type Row, spreadText, times } from './measure.ts';
import { PlainClient } from './plain-client.ts';

/** Maximum microseconds from bytes to bytes, and minimum ratio to a client that requests the time before it signs. */
const AIM = { micros: 150, times: 4 };
const LONG_BOOK = 20_000;
const PATH = '/market/0/orderbook';
const SOME_TIME = 1_760_000_000;

export const turn: Bench = async () => {
  const connection = await openConnection({ markets: 1 });
  try {
    const bots = await botsAt(connection);
    const own = (await connection.transport.request({ method: 'GET', path: PATH }, { timeoutMs: 3_000, maxBytes: 1e6 })).body;
    return [
      ...(await fromBytes(bots, own)),
      ...(await fromBytes(bots, lengthened(own, LONG_BOOK))),
      ...(await overLoopback(bots, connection, own)),
    ];
  } finally {
    await connection.close();
  }
};

const plain = new PlainClient({ schema: bundledSchema().text, secret: newSecretKey() });

interface Bots {
  /** Has seen everything but a book, and answers any book with one order. */
  readonly taker: () => Bot;
  /** Quotes both sides around the mid price. */
  readonly maker: () => Bot;
}

async function botsAt({ venue, config }: Connection): Promise<Bots> {
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

/** The plain client requests the exchange's time before it signs, as the exchange's own client does; the bot has it from polling. */
async function overLoopback({ taker }: Bots, { client, url }: Connection, body: Uint8Array): Promise<readonly Row[]> {
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

/** Checks the number of actions, so that a bot that sends too little does not count as fast. */
const sending =
  (count: number, { bot, client }: { bot: Bot; client: HostedClient }) =>
  async (): Promise<void> => {
    const sealed = await bot.answer(client);
    assert(sealed.length === count, `${sealed.length} actions were sent, not ${count}`);
  };

/** Returns a client whose every request is answered with this body. */
function clientOf(body: Uint8Array): HostedClient {
  const reply: HttpReply = { status: 200, contentType: 'application/json', body };
  return hostedClient({ transport: { request: () => Promise.resolve(reply), close: () => Promise.resolve() } });
}
