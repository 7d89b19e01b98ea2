// Opens Hyperliquid as a venue, from an address and a key, and for the commands that cancel, check or only read.
import type { Clock, Millis } from '../../base/clock.ts';
import { UserError } from '../../base/errors.ts';
import { docsFile } from '../../base/package.ts';
import { dialAt } from '../../base/transport/socket.ts';
import type { Dial, Transport } from '../../base/transport/transport.ts';
import { numberIn } from '../../bot/domain/ids.ts';
import { connectPublicFeed } from '../../bot/exchange/kit/connect-feed.ts';
import type { VenueClient } from '../../bot/exchange/kit/venue-client.ts';
import type { AccountHolder } from '../../bot/run/core/start-check.ts';
import type { Entry } from '../../bot/run/state/entries.ts';
import { lastNonceIn } from '../../bot/run/state/resume-trades.ts';
import type { State } from '../../bot/run/state/state.ts';
import type { ClientCode } from '../kind/client-kind.ts';
import { type ClientOverTransport, openClient } from '../kind/over-transport.ts';
import { cancelCallsOf } from '../operate/client-canceller.ts';
import { checkCallsOf } from '../operate/client-checks.ts';
import { hyperliquidClient } from './client.ts';
import { type HyperliquidKey, KEY_HINT } from './key.ts';
import { hyperliquidData, nonceClockOf } from './public-client.ts';
import { SOCKET_PATH } from './push.ts';
import { actionsOver, questionsOver } from './requests.ts';
import { networkAt } from './rules.ts';

export const hyperliquidHolder = (url: string): AccountHolder => ({ exchange: 'hyperliquid', url: new URL(url).origin });

interface ClientParts {
  /** The address behind `transport`: it decides the network for which actions are signed. */
  readonly url: string;
  readonly transport: Transport;
  readonly clock: Clock;
  readonly key: HyperliquidKey | undefined;
  /** The highest nonce that an earlier process of the run may have used. */
  readonly lastNonce?: number | undefined;
  /** Until when such a process has counted its funding, in the exchange's time. */
  readonly fundingSince?: Millis | undefined;
  readonly log?: { warn(text: string): void } | undefined;
  readonly dial?: Dial | undefined;
}

/** Throws a UserError without a key. */
export function hyperliquidOver(options: ClientParts): VenueClient {
  const { url, transport, clock, key, lastNonce, fundingSince, log = { warn: () => undefined }, dial } = options;
  if (key === undefined) throw new UserError({ code: 'key', message: 'the account needs a key file', hint: KEY_HINT });
  const ask = questionsOver(transport);
  const nonceClock = nonceClockOf(ask, clock);
  const actions = actionsOver({ transport, exchangeTime: () => nonceClock.now(), lastNonce, key, network: networkAt(url) });
  return hyperliquidClient({ ask, actions, clock, nonceClock, key, fundingSince, log, dial });
}

/** Returns the last nonce, and the time up to which funding was read, that a process takes over from the journal of earlier ones. */
export function inheritedNonceAndFunding(earlier: readonly Entry[]): Pick<ClientParts, 'lastNonce' | 'fundingSince'> {
  const until = earlier.findLast((entry) => entry.kind === 'funding')?.until;
  return { lastNonce: lastNonceIn(earlier), fundingSince: until === undefined ? undefined : Number(numberIn(until)) };
}

type RunOptions = Parameters<ClientCode<HyperliquidKey>['open']>[0];

/** Returns the client of a run. Warns if it trades with real money. */
export const clientParts = (
  options: Pick<RunOptions, 'url' | 'clock' | 'key' | 'log' | 'warn' | 'streams'> & { readonly state: Pick<State, 'earlier'> },
): ClientOverTransport => ({
  holder: hyperliquidHolder(options.url),
  clientOver: (transport) => {
    const { log, warn = (text) => log.warn(text) } = options;
    if (networkAt(options.url) === 'mainnet') warn(UNTRIED);
    const dial = options.streams === true ? dialAt(options.url)(SOCKET_PATH) : undefined;
    return hyperliquidOver({ ...options, transport, dial, ...inheritedNonceAndFunding(options.state.earlier) });
  },
});

const UNTRIED = `this run trades with real money on Hyperliquid's mainnet, and nobody has tried this adapter on the real exchange yet, neither there nor on testnet: ${docsFile('hyperliquid.md')} lists what to try first on testnet; begin with little money`;

export const HYPERLIQUID_CODE: ClientCode<HyperliquidKey> = {
  holder: hyperliquidHolder,
  open: (options) => openClient(options, clientParts(options)),
  feed: (options) => connectPublicFeed(hyperliquidData({ ask: questionsOver(options.transport), clock: options.clock }), options),
  cancelCalls: (options) => cancelCallsOf(hyperliquidOver(options)),
  checkCalls: ({ url, transport, clock, key }) =>
    key === undefined
      ? checkCallsOf(hyperliquidData({ ask: questionsOver(transport), clock }), false)
      : checkCallsOf(hyperliquidOver({ url, transport, clock, key }), true),
};
