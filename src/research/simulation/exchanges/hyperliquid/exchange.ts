// Hyperliquid in a simulated run: its account and agent, its API, and how a process connects to it.
import type { Rng } from '../../../../base/rng.ts';
import { Market } from '../../../../bot/domain/market.ts';
import { connectVenue } from '../../../../bot/exchange/kit/connect.ts';
import { inheritedOptionsWithoutSession, startCheckOption } from '../../../../bot/run/core/venue.ts';
import type { ListedMarket } from '../../../../embedded/exchange/state/listing.ts';
import { hyperliquidHolder, hyperliquidOver, inheritedNonceAndFunding } from '../../../../venues/hyperliquid/open.ts';
import { SOCKET_PATH } from '../../../../venues/hyperliquid/push.ts';
import { ClientCanceller, cancelCallsOf } from '../../../../venues/operate/client-canceller.ts';
import { approvalDigest } from '../../../../venues/wire/hyperliquid/sign.ts';
import { addressOf, signDigest } from '../../../../venues/wire/hyperliquid/typed-data.ts';
import type { PlayedExchange, PlayedOpening } from '../../exchange-api.ts';
import { hyperliquidFormat } from './format.ts';
import { HyperliquidServer } from './server.ts';

const URL = 'http://127.0.0.1:1';
const QUIET = { info: () => undefined, warn: () => undefined };
/** Price decimals plus size decimals are 6. */
const MAX_DECIMALS = 6;

export function hyperliquidExchange({ rng, markets }: PlayedOpening): PlayedExchange {
  const [master, secret] = [bytesOf(rng.fork('wallet')), bytesOf(rng.fork('agent'))];
  const [user, agent] = [addressOf(master), addressOf(secret)];
  const key = { secret, agent, master: user };
  const api = hyperliquidFormat(listed(markets).map(({ spec }) => new Market(spec)));
  const approval = (nonce: number): Uint8Array => {
    const asked = { signatureChainId: '0x66eee', hyperliquidChain: 'Testnet', agentAddress: agent, agentName: 'bot', nonce };
    const body = { action: { type: 'approveAgent', ...asked }, nonce, signature: signDigest(approvalDigest(asked), master) };
    return new TextEncoder().encode(JSON.stringify(body));
  };
  return {
    name: 'hyperliquid',
    api,
    user,
    secrets: [secret],
    listed,
    prepare: () => undefined,
    serve: (parts) => new HyperliquidServer({ ...parts, api, user, approval }),
    connect({ options: { polling }, foreign, claim, limits, dialStreams, ...given }) {
      const { clock, state, transport, log } = given;
      const client = hyperliquidOver({
        url: URL,
        transport,
        clock,
        key,
        log,
        dial: dialStreams?.(SOCKET_PATH),
        ...inheritedNonceAndFunding(state.earlier),
      });
      return connectVenue(client, {
        ...given,
        rng: given.rng.fork('venue'),
        polling,
        ...inheritedOptionsWithoutSession({ clock, state, limits }),
        ...startCheckOption({ clock, state, foreign, claim }, hyperliquidHolder(URL)),
      });
    },
    canceller: ({ clock, transport }) =>
      new ClientCanceller({ calls: cancelCallsOf(hyperliquidOver({ url: URL, transport, clock, key })), clock, log: QUIET, transport }),
  };
}

/** The markets with the decimals that Hyperliquid lists, so that ticks mean the same to both. */
const listed = (markets: readonly ListedMarket[]): readonly ListedMarket[] =>
  markets.map(({ spec, basePrice }) => ({ spec: { ...spec, priceDecimals: MAX_DECIMALS - spec.sizeDecimals }, basePrice }));

const bytesOf = (rng: Rng): Uint8Array => Uint8Array.from({ length: 32 }, () => rng.below(256));
