// An action schema at an exchange that publishes another: refused if orders would be read as other orders, used if they mean the same.
import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { walletOf } from '../../../src/base/keys/key.ts';
import { rngFrom } from '../../../src/base/rng.ts';
import { type Served, serve } from '../../../src/base/server/http.ts';
import { jsonReply, textReply } from '../../../src/base/server/reply.ts';
import type { HttpReply } from '../../../src/base/transport/transport.ts';
import { newSecretKey } from '../../../src/base/wire/ed25519.ts';
import { DEFAULT_FUNDS } from '../../../src/embedded/exchange/state/listing.ts';
import { type Embedded, startEmbedded } from '../../../src/embedded/server/embedded.ts';
import { openHosted } from '../../../src/venues/hosted/open.ts';
import { bundledSchema } from '../../../src/venues/wire/schema/schema.ts';
import { memoryState } from '../../memory-state.ts';
import { DEFAULTS, rethrow, START } from '../../replay/virtual-run.ts';

const BUNDLED = bundledSchema().text;
const LIVE = readFileSync(new URL('../../foreign/live.proto', import.meta.url), 'utf8');

let [exchange, server]: [Embedded | undefined, Served | undefined] = [undefined, undefined];
afterEach(async () => {
  await server?.close();
  await exchange?.close();
});

/** Opens a venue at an exchange with this answer to `/schema.proto`. Resolves with the log and the requested paths. */
async function opened(
  published: HttpReply,
  { schema = 'bundled', patienceMs = 60_000 }: { schema?: string; patienceMs?: number } = {},
): Promise<{ warnings: string[]; actions: number }> {
  const own = { seed: 'schema', start: START, clock: systemClock, speed: 1, faucet: DEFAULT_FUNDS, schema: bundledSchema() };
  exchange = await startEmbedded({ ...own, onBug: rethrow });
  const { hosted } = exchange;
  const [warnings, posts]: [string[], string[]] = [[], []];
  server = await serve(
    (request) => {
      if (request.method === 'POST') posts.push(request.path);
      return request.path === '/schema.proto' ? published : hosted(request);
    },
    { port: 0, host: '127.0.0.1', onBug: rethrow },
  );
  const log = { info: () => undefined, warn: (text: string) => void warnings.push(text) };
  const common = {
    clock: systemClock,
    rng: rngFrom('schema'),
    polling: DEFAULTS.polling,
    markets: ['BTCUSDC'],
    state: memoryState(),
    limits: {},
    log,
    start: { log, timeoutMs: patienceMs },
  };
  try {
    const open = await openHosted({ ...common, url: server.url, wallet: walletOf(newSecretKey()), schema });
    await open.close();
  } catch (error) {
    expect(posts).toEqual([]);
    throw error;
  }
  return { warnings, actions: posts.length };
}

test('the same schema in the same text is used without a message', async () => {
  expect(await opened(textReply(BUNDLED))).toEqual({ warnings: [], actions: 1 });
});

test.each([
  ['other numbers', LIVE, /price: 5 became 6/],
  ['another type', BUNDLED.replace('uint64 price = 5', 'double price = 5'), /PlaceOrder\.price is double, not uint64/],
  ['a needed field is missing', BUNDLED.replace('uint64 size = 6', 'uint64 amount = 6'), /PlaceOrder has no size/],
])('%s: refused before anything is sent, with the difference and both solutions', async (_, text, difference) => {
  const refusal = opened(textReply(text));
  await expect(refusal).rejects.toMatchObject({
    code: 'schema',
    message: expect.stringMatching(difference) as string,
    hint: expect.stringMatching(/schema approve --url .*--schema remote.*--schema FILE/) as string,
  });
});

const FILE = new URL('../../../proto/actions.proto', import.meta.url).pathname;
const MARK = 'bool is_reduce_only = 36;';

describe.each(['bundled', FILE])('with --schema %s', (schema) => {
  test.each([
    ['other numbers', LIVE, /price: 5 became 6/],
    ['another field on the number of reduce-only', BUNDLED.replace(MARK, 'uint32 slippage_bps = 36;'), /36 became uint32 slippage_bps/],
    ['no client order id', BUNDLED.replace(/^.*client_order_id.*\n/gm, ''), /- action\.placeOrder\.clientOrderId: 33/],
    ['no account', BUNDLED.replace(/^.*sender_account_id.*\n/gm, ''), /- action\.cancelOrder\.senderAccountId: 33/],
  ])('%s: refused before anything is sent', async (_, text, difference) => {
    const refusal = opened(textReply(text), { schema });
    await expect(refusal).rejects.toMatchObject({ code: 'schema', message: expect.stringMatching(difference) as string });
  });

  test('an exchange without reduce-only is traded at without it, with a warning', async () => {
    const { warnings } = await opened(textReply(BUNDLED.replace(MARK, '')), { schema });
    expect(warnings.join()).toContain('orders are sent without it: - action.placeOrder.reduceOnly: 36');
  });
});

test('no schema at all is a warning', async () => {
  const { warnings } = await opened(jsonReply({ message: 'nothing here' }, 404));
  expect(warnings.join()).toContain('publishes no action schema');
});

test.each([
  ['a page of a proxy', textReply('<html>Log in</html>')],
  ['a field number that protobuf does not have', textReply(BUNDLED.replace('price = 5', 'price = 100000000000000000000'))],
])('%s is a failure of the exchange, not wrong input', async (_, reply) => {
  await expect(opened(reply, { patienceMs: 2_000 })).rejects.toMatchObject({
    code: 'exchange',
    message: expect.stringContaining('nothing is signed before the schemas are compared') as string,
  });
});
