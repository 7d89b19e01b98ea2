// Hostile data from the network: it gives an error of a known kind or a value of the stated shape, quickly, and changes nothing else.
import { expect, test } from 'vitest';
import { VirtualClock } from '../../src/base/clock.ts';
import { UserError } from '../../src/base/errors.ts';
import { type Rng, rngFrom } from '../../src/base/rng.ts';
import { toBase58 } from '../../src/base/wire/ed25519.ts';
import { frame, splitSigned, WireError } from '../../src/base/wire/framing.ts';
import { parseJson } from '../../src/base/wire/json.ts';
import { ActionCodec, type Receipt } from '../../src/venues/wire/codec.ts';
import * as hosted from '../../src/venues/wire/json/hosted.ts';
import * as local from '../../src/venues/wire/json/local.ts';
import { bundledSchema, compareWithPublished, loadSchema, schemaDifferences } from '../../src/venues/wire/schema/schema.ts';
import { embeddedOn } from '../replay/virtual-run.ts';
import { liveText } from '../unit/wire/samples.ts';
import { mutated, mutatedJson, pollution } from './mutations.ts';

const LIMITS = { maxBytes: 2 * 1024 * 1024, maxDepth: 32 };
const codec = new ActionCodec(bundledSchema());
type Known = abstract new (...given: never[]) => Error;

/** Calls `act` with hostile input in each round. Returns how often it accepted and refused it. An error of another kind is rethrown with its round. */
function rounds(count: number, { seed, known, act }: { seed: string; known: readonly Known[]; act: (rng: Rng) => unknown }) {
  let [taken, refused] = [0, 0];
  for (let round = 0; round < count; round++) {
    try {
      act(rngFrom(`${seed} ${round}`));
      taken++;
    } catch (error) {
      if (!known.some((kind) => error instanceof kind)) throw new Error(`round "${seed} ${round}"`, { cause: error });
      refused++;
    }
  }
  expect(pollution()).toEqual([]);
  return { taken, refused };
}

test('an action schema', () => {
  const sources = [bundledSchema().text, liveText].map((text) => Buffer.from(text));
  const act = (rng: Rng): void => {
    const text = mutated(sources[rng.below(2)] ?? Buffer.of(), rng).toString();
    loadSchema(text);
    compareWithPublished(bundledSchema(), text);
    schemaDifferences(bundledSchema(), { text });
  };
  const { taken, refused } = rounds(120, { seed: 'schema', known: [UserError], act });
  expect(Math.min(taken, refused)).toBeGreaterThan(3);
});

test.each([
  ['blocks without end', 'message A {'.repeat(100_000)],
  ['a name of a million letters', `message ${'A'.repeat(1e6)} {}`],
  ['options without end', `option a = {${'b:{'.repeat(50_000)}`],
  ['a comment without end', `/*${'*'.repeat(200_000)}`],
  ['text without end', `option a = "${'x\\'.repeat(100_000)}`],
  ['a chain of types', Array.from({ length: 2_000 }, (_, at) => `message M${at} { M${at + 1} x = 1; }`).join('\n')],
  ['a type that contains itself', 'syntax="proto3"; message Action { Action a = 1; } message Receipt { Receipt r = 1; }'],
  [
    'names of JavaScript properties',
    'syntax="proto3"; message __proto__ { uint32 constructor = 1; } message Action { uint32 __proto__ = 1; }',
  ],
  ['another file', 'import "/etc/passwd"; message Action {}'],
  ['code', 'message Action { uint32 a = 1 [default = "\\u0000${process.exit()}"]; }'],
])('a schema of %s', (_, text) => {
  expect(() => loadSchema(text)).toThrow(UserError);
  expect(pollution()).toEqual([]);
});

/** A value that each endpoint may return. */
const trade = {
  time: '2026-01-05T12:00:00Z',
  actionId: 1,
  tradeId: '2',
  takerId: 1,
  takerSide: 'bid',
  makerId: 2,
  marketId: 0,
  orderId: 3,
  price: 1.5,
  baseSize: 2,
};
const stats = { indexPrice: 1, frozen: false, perpStats: { mark_price: 1, funding_rate: 0.1, next_funding_time: '2026-01-05T12:00:00Z' } };
const SAMPLES: Readonly<Record<string, unknown>> = {
  info: {
    markets: [
      { marketId: 0, symbol: 'A', baseTokenId: 1, quoteTokenId: 0, priceDecimals: 1, sizeDecimals: 2, imf: 0.1, cmf: 0.1, mmf: 0.1 },
    ],
    tokens: [{ tokenId: 0, symbol: 'U', decimals: 6, mintAddr: 'x', weightBps: 1 }],
  },
  orderbook: { updateId: 7, bids: [[1, 2]], asks: [[3, 4]], bidsSummary: { sum: 1, count: 1 } },
  marketStats: stats,
  marketsLive: { markets: [{ marketId: 0, markPrice: 1, perpetuals: { markPrice: 1 } }] },
  account: {
    updateId: 9,
    balances: [{ tokenId: 0, amount: 5 }],
    positions: [{ marketId: 0, openOrders: 1, perp: null, actionId: 8 }],
    orders: [{ orderId: '3', marketId: 0, side: 'bid', price: 1.5, size: 2, originalOrderSize: 2, clientOrderId: null }],
    margins: { omf: 1, mf: 1, imf: 1, cmf: 1, mmf: 1, pon: 1, pn: 1, bankruptcy: false },
  },
  tradesPage: { items: [trade], nextStartInclusive: '4' },
  user: { accountIds: [1], sessions: { 5: { pubkey: 'x', expiry: '2026-01-05T12:00:00Z' } } },
  feeBrackets: [[0, { maker_fee_ppm: 1, taker_fee_ppm: 2 }]],
  feeTier: 3,
  timestamp: 1_760_000_000,
};

test.each(
  Object.entries({ ...hosted, ...local })
    .filter(([, shape]) => typeof shape === 'object' && 'safeParse' in shape)
    .map(([name, shape]) => ({ name, shape: shape as typeof hosted.info })),
)('the JSON of $name', ({ name, shape }) => {
  const plain = Object.values(SAMPLES);
  const act = (rng: Rng): void => {
    const source = SAMPLES[name] ?? plain[rng.below(plain.length)];
    const text = mutatedJson(source, rng);
    const body = rng.below(3) === 0 ? mutated(Buffer.from(text), rng) : text;
    const value = parseJson(body, LIMITS);
    const read = hosted.readAs(shape, value, name);
    expect(read).toEqual(shape.parse(value)); // what the compiled shape accepts, the shape itself accepts, with the same result
  };
  const { refused } = rounds(300, { seed: name, known: [WireError], act });
  expect(refused).toBeGreaterThan(20);
});

test.each([
  ['depth', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
  ['depth with a long number', `${'['.repeat(100)}12345678901234567890${']'.repeat(100)}`],
  ['a key __proto__', '{"a":{"__proto__":{"polluted":1}}}'],
  ['a key __proto__, escaped', String.raw`{"\u005f_proto__":{"polluted":1}}`],
  ['a key __proto__ beside a long number', '{"n":12345678901234567890,"__proto__":{"polluted":1}}'],
  ['too much', `"${'x'.repeat(3e6)}"`],
])('JSON of %s', (_, text) => {
  expect(() => parseJson(text, LIMITS)).toThrow(WireError);
  expect(pollution()).toEqual([]);
});

test('receipts', () => {
  const fill = { orderId: '3', price: 4n, size: 5n, accountId: 6 };
  const posted = { orderId: '1', marketId: 0, side: 'bid', price: 7n, size: 8n, accountId: 9 } as const;
  const receipts: readonly Receipt[] = [
    { kind: 'placeOrder', actionId: '1', fills: [fill, fill], posted, clientOrderId: '4' },
    { kind: 'createSession', actionId: '2', sessionId: '3' },
    { kind: 'err', actionId: '3', error: 'DUPLICATE', code: 0 },
    { kind: 'cancelOrder', actionId: '4', orderId: '5', accountId: 6 },
  ];
  const sources = receipts.map((receipt) => codec.encodeReceipt(receipt));
  const act = (rng: Rng): void => {
    const source = sources[rng.below(sources.length)] ?? new Uint8Array();
    codec.decodeReceipt(rng.below(2) === 0 ? mutated(source, rng) : frame(mutated(source.subarray(1), rng)));
  };
  const { taken, refused } = rounds(4_000, { seed: 'receipt', known: [WireError], act });
  expect(Math.min(taken, refused)).toBeGreaterThan(300);
});

test('actions, as a server reads them', () => {
  const place = {
    kind: 'placeOrder',
    timestamp: 5,
    nonce: 1,
    sessionId: '8',
    marketId: 0,
    side: 'bid',
    fillMode: 'LIMIT',
    price: 3n,
    size: 1n,
  } as const;
  const framed = codec.encode({ ...place, clientOrderId: '9', senderAccountId: 0 });
  const body = Buffer.concat([framed, Buffer.alloc(64, 1)]);
  const act = (rng: Rng): void => {
    codec.decode(rng.below(2) === 0 ? splitSigned(mutated(body, rng)).framed : frame(mutated(framed.subarray(1), rng)));
  };
  const { taken, refused } = rounds(4_000, { seed: 'action', known: [WireError], act });
  expect(Math.min(taken, refused)).toBeGreaterThan(300);
});

test('requests to the embedded exchange are all answered, and never with 500', async () => {
  const clock = new VirtualClock(Date.parse('2026-01-05T12:00:00Z'));
  const bugs: unknown[] = [];
  const { hosted: surface, close } = await embeddedOn(clock, { seed: 'fuzz', onBug: (thrown) => bugs.push(thrown) });
  const paths = [
    '/info',
    '/timestamp',
    '/market/0/orderbook',
    '/market/0/stats',
    '/markets/live',
    '/trades?marketId=0&pageSize=5',
    '/account/1',
    '/account/1/orders',
    `/user/${toBase58(new Uint8Array(32).fill(9))}`,
    '/schema.proto',
    '/fee/brackets/info',
  ];
  const strange: string[] = [];
  for (let round = 0; round < 500; round++) {
    const rng = rngFrom(`request ${round}`);
    const path = mutated(Buffer.from(paths[rng.below(paths.length)] ?? ''), rng).toString('latin1');
    const post = rng.below(3) === 0;
    const body = mutated(Buffer.from('5d0805100122460a20'), rng);
    const request = post
      ? { method: 'POST' as const, path: '/action', body, contentType: 'application/octet-stream' }
      : { method: 'GET' as const, path };
    const { status } = surface(request);
    if (status >= 500) strange.push(`round ${round}: ${status} to ${request.path}`);
  }
  await close();
  expect([strange, bugs]).toEqual([[], []]);
});
