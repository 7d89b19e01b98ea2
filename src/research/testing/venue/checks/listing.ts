// Checks 1 to 3 of an adapter: the listing, and replies with missing or new fields.
import { counted } from '../../../../base/text/phrases.ts';
import { lots, ticks } from '../../../../bot/domain/numbers.ts';
import { listedMarket } from '../../../../bot/exchange/kit/listing.ts';
import type { VenueClient } from '../../../../bot/exchange/kit/venue-client.ts';
import { changing, fieldsOf, jsonIn, withField, withNewFields, withoutField } from '../altered-replies.ts';
import { ensure, errorText, VenueBench, type VenueSubject } from '../bench.ts';
import type { VenueCheck } from '../venue-check.ts';

export const LISTING_CHECKS: readonly VenueCheck[] = [
  {
    number: 1,
    name: 'listing',
    prevents: 'orders are refused because they are off the tick, or have a size of another unit',
    async run(subject) {
      const bench = await new VenueBench(subject).open({ connected: false });
      const { markets, tokens } = await bench.wait(bench.client.listing());
      ensure(new Set(markets.map(({ symbol }) => symbol)).size === markets.length, 'two markets have the same symbol');
      ensure(new Set(markets.map(({ id }) => id)).size === markets.length, 'two markets have the same id');
      for (const { spec } of markets)
        for (const token of [spec.baseTokenId, spec.quoteTokenId])
          ensure(
            tokens.some(({ tokenId }) => tokenId === token),
            `${spec.symbol} is of token ${token}, which is not listed`,
          );
      const market = listedMarket(markets, subject.fake.market);
      const { price, size } = subject.fake;
      ensure(market.ticksOf(price) !== undefined, `the usual price ${price} is not on the tick of the listed market`);
      ensure((market.lotsOf(size) ?? 0) >= 10, `the size ${size} of an order is not ten lots or more of the listed market`);
      const { kind, imf, mmf } = market.spec;
      ensure(
        imf <= 1 && mmf > 0 && mmf < imf,
        `imf ${imf} and mmf ${mmf} are no fractions with 0 < mmf < imf <= 1, which a paper run needs`,
      );
      return `${counted(markets.length, 'market')}; ${market.symbol}: ${kind}, tick ${market.priceText(ticks(1))}, lot ${market.sizeText(lots(1))}`;
    },
  },
  {
    number: 2,
    name: 'missing fields',
    prevents: 'a field that the exchange renames is read as zero: an account without positions, a book without asks',
    run: (subject) =>
      eachRead(subject, (value, isRow) =>
        fieldsOf(value).flatMap((path) =>
          isRow(path)
            ? []
            : [
                { what: `without ${path.join('.')}`, value: withoutField(value, path) },
                { what: `with ${path.join('.')} null`, value: withField(value, path, null) },
              ],
        ),
      ),
  },
  {
    number: 3,
    name: 'new fields',
    prevents: 'the bot stops, or cannot cancel, on the day on which the exchange adds a field',
    run: (subject) =>
      eachRead(subject, (value) => [{ what: 'with a new field in each object', value: withNewFields(value), mustWork: true }]),
  },
];

type Json = Parameters<typeof fieldsOf>[0];

interface Altered {
  readonly what: string;
  readonly value: Json;
  readonly mustWork?: true;
}

/** Makes each read with each altered reply: it must reject, or return what it returns without the change. */
async function eachRead(
  subject: VenueSubject,
  alterations: (value: Json, isRow: (path: readonly unknown[]) => boolean) => readonly Altered[],
): Promise<string> {
  const bench = await new VenueBench(subject).open();
  await bench.rest();
  bench.fill(subject.fake.size / 2, 0.97); // partly filled: fills and a position
  await bench.pass(2_000);
  let count = 0;
  const { tokens } = await bench.wait(bench.client.listing());
  const rowNames = new Set<unknown>([...bench.markets, ...tokens].map(({ symbol }) => symbol));
  for (const [name, read] of Object.entries(readsOf(bench))) {
    const replies: Json[] = [];
    bench.clientLine.mishap = (_request, pass) => {
      const reply = pass();
      const value = jsonIn(reply);
      if (value !== undefined && replies.length === 0) replies.push(value);
      return reply;
    };
    const right = await bench.wait(read(bench.client));
    const [reply] = replies;
    if (reply === undefined) continue; // not JSON, or answered from memory
    for (const { what, value, mustWork } of alterations(reply, (path) => rowNames.has(path.at(-1)))) {
      let isFirst = true;
      const alter = changing((given) => (isFirst ? value : given));
      bench.clientLine.mishap = (request, pass) => {
        const outcome = alter(request, pass);
        isFirst = false;
        return outcome;
      };
      count += 1;
      const found = await resultOf(() => bench.wait(read(bench.client)));
      if (found.error !== undefined) {
        ensure(mustWork !== true, `${name} ${what} was rejected: ${errorText(found.error)}`);
        continue;
      }
      const difference = differenceIn(right, found.value);
      ensure(difference === undefined, `${name} ${what} was accepted, and ${difference}: reject such an answer`);
    }
  }
  bench.clientLine.mishap = undefined;
  return `${count} altered answers of ${Object.keys(readsOf(bench)).join(', ')}`;
}

type Reads = Readonly<Record<string, (client: VenueClient) => Promise<unknown>>>;

const readsOf = ({ market }: VenueBench): Reads => ({
  listing: (client) => client.listing(),
  book: (client) => client.book(market),
  'live info': (client) => client.live([market]),
  account: (client) => client.account([market]),
  fills: (client) => firstPage(client.fills([market])[0]?.pages(undefined)),
  trades: (client) => firstPage(client.trades(market).pages(undefined)),
});

async function firstPage(pages: AsyncIterable<unknown> | undefined): Promise<unknown> {
  if (pages !== undefined) for await (const page of pages) return page;
  return [];
}

async function resultOf(run: () => Promise<unknown>): Promise<{ readonly value?: unknown; readonly error?: unknown }> {
  try {
    return { value: await run() };
  } catch (error) {
    return { error: error ?? new Error('nothing') };
  }
}

/** Describes the first value that another one has replaced. A value that is now undefined is no difference: nothing false is said. */
function differenceIn(right: unknown, found: unknown, name = 'the result'): string | undefined {
  if (found === undefined || Object.is(right, found)) return undefined;
  if (typeof right !== 'object' || typeof found !== 'object' || right === null || found === null)
    return `${name} is ${JSON.stringify(found)} instead of ${JSON.stringify(right)}`;
  if (Array.isArray(right) && Array.isArray(found) && right.length !== found.length)
    return `${name} has ${found.length} rows instead of ${right.length}`;
  const keys = [...new Set([...Object.keys(right), ...Object.keys(found)])];
  for (const key of keys) {
    const difference = differenceIn(partOf(right, key), partOf(found, key), key);
    if (difference !== undefined) return difference;
  }
  return undefined;
}

const partOf = (value: object, key: string): unknown => (value as Readonly<Record<string, unknown>>)[key];
