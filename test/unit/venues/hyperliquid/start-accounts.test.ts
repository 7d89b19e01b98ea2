// The accounts of a start: servers may be behind for longer than at other exchanges, and the last account must show what was done before the first.
import { expect, test } from 'vitest';
import { VirtualClock } from '../../../../src/base/clock.ts';
import { rngFrom } from '../../../../src/base/rng.ts';
import type { HttpReply, HttpRequest } from '../../../../src/base/transport/transport.ts';
import { connectVenue } from '../../../../src/bot/exchange/kit/connect.ts';
import type { FoundAtStart } from '../../../../src/bot/exchange/port.ts';
import { hyperliquidOver } from '../../../../src/venues/hyperliquid/open.ts';
import { SERVER_LAG } from '../../../../src/venues/hyperliquid/rules.ts';
import type { HyperliquidAction } from '../../../../src/venues/wire/hyperliquid/actions.ts';
import { signAction } from '../../../../src/venues/wire/hyperliquid/sign.ts';
import { driven } from '../../../driven.ts';
import { AGENT_SECRET, approveAgent, KEY, MASTER, post, STAND_IN } from '../../../hyperliquid/agent.ts';
import { inProcessTransport } from '../../../in-process.ts';
import { DEFAULTS, embeddedOn, ONE_MARKET, QUIET, START } from '../../../replay/virtual-run.ts';

const ORDER: HyperliquidAction = {
  type: 'order',
  orders: [{ a: 0, b: true, p: '59000', s: '0.01', r: false, t: { limit: { tif: 'Gtc' } } }],
  grouping: 'na',
};

test('a start whose servers are behind sees an order that was placed just before it', async () => {
  const clock = new VirtualClock(START);
  const { hyperliquid, exchange } = await embeddedOn(clock, { seed: 'behind', markets: ONE_MARKET });
  approveAgent(hyperliquid, clock);
  const before = post(hyperliquid, '/info', { type: 'frontendOpenOrders', user: MASTER });
  const signed = { action: ORDER, nonce: START + 1 };
  post(hyperliquid, '/exchange', { ...signed, signature: signAction(signed, { secret: AGENT_SECRET, network: 'testnet' }) });
  const behind = Buffer.from(JSON.stringify(before));
  const handler = (request: HttpRequest): HttpReply => {
    const reply = hyperliquid(request);
    const isBehind = Buffer.from(request.body ?? []).includes('frontendOpenOrders') && clock.now() < START + SERVER_LAG;
    return isBehind ? { ...reply, body: behind } : reply;
  };
  const found: FoundAtStart[] = [];
  const client = hyperliquidOver({ url: STAND_IN, transport: inProcessTransport({ handler, clock, latencyMs: () => 0 }), clock, key: KEY });
  const markets = exchange.markets.map(({ symbol }) => symbol);
  const options = { clock, rng: rngFrom('behind'), polling: DEFAULTS.polling, markets, log: QUIET };
  const venue = await driven(clock, connectVenue(client, { ...options, admit: (at) => void found.push(at) }));
  await venue.gateway.close();
  expect(found[0]?.accounts.map(({ orders }) => orders.length)).toEqual([0, 1]);
});
