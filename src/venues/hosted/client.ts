// The hosted exchange as the kit trades at it: an account of the user's key, whose actions are signed in a session.
import { merge } from 'rxjs';
import { assert } from '../../base/assert.ts';
import { memoizeLast } from '../../base/collections/memoize-last.ts';
import { toBase58 } from '../../base/wire/ed25519.ts';
import type { AccountId } from '../../bot/domain/ids.ts';
import type { Market } from '../../bot/domain/market.ts';
import type { Fill } from '../../bot/domain/order.ts';
import type { FillPages, ReadAccount, VenueClient } from '../../bot/exchange/kit/venue-client.ts';
import type { AccountReply } from '../wire/json/hosted.ts';
import { feesOf, isListedOpen, type Owner, ownerOf, userOf } from './account/account-reads.ts';
import { accountOf, countsOf } from './account/account-snapshot.ts';
import { type Directory, directoryOf, fillOf } from './market/snapshots.ts';
import { type DialStreams, hostedStreams } from './market/streams.ts';
import { hostedPublicClient, type PublicOptions, tradePages } from './public-client.ts';
import { SignedActions } from './signed-actions.ts';
import { type SigningOptions, signingTools } from './signing-tools.ts';

export interface HostedVenueOptions extends SigningOptions {
  /** The user's first account by default. */
  readonly accountId?: AccountId | undefined;
  /** Opens the exchange's websocket, which reports books and account changes earlier than the polls; if absent, there are only polls. */
  readonly dialStreams?: DialStreams | undefined;
}

export function hostedVenueClient(options: HostedVenueOptions): VenueClient {
  const { client, clock, wallet, dialStreams } = options;
  const tools = signingTools(options);
  const { codec, session, time } = tools;
  const publicKey = toBase58(wallet.publicKey);
  let isOpen = false;
  let found: (Owner & { readonly actions: SignedActions }) | undefined;
  const owned = (): NonNullable<typeof found> => {
    assert(found !== undefined, 'the account is not known yet');
    return found;
  };
  const accountIn = memoizeLast((markets: readonly Market[]) => {
    const directory = directoryOf(markets);
    return memoizeLast(
      (reply: AccountReply): ReadAccount => ({
        ...accountOf(owned().account, reply, directory),
        counts: countsOf(reply, directory),
      }),
    );
  });
  return {
    ...hostedPublicClient({ client, clock, time, dates: options.dates }),
    async owner() {
      const user = await userOf(client, publicKey);
      if (!isOpen && (user === undefined || user.accountIds.length === 0)) return undefined;
      const owner = ownerOf(user, { publicKey, wanted: options.accountId, extras: codec.extras });
      const actions = new SignedActions({ ...tools, ...owner, holdsBack: () => session.holdsBack() });
      found = { ...owner, actions };
      return owner.account;
    },
    async open() {
      await session.open();
      isOpen = true;
    },
    account: async (markets) => accountIn(markets)(await client.account(owned().account)),
    fees: () => feesOf(owned().account, client),
    fills: (markets) => fillsOf(owned().account, { client, clock, time, markets: directoryOf(markets) }),
    isOpen: ({ orderId }) => isListedOpen(client, { account: owned().account, orderId }),
    prepare: (actions) => owned().actions.prepare(actions),
    observe: (event) => owned().actions.observe(event),
    get events() {
      return merge(session.events, tools.health, owned().actions.events);
    },
    ...(dialStreams !== undefined && {
      streams: (markets, context) => hostedStreams({ ...context, dial: dialStreams, markets, account: owned().account }),
    }),
    close: () => session.close(),
  };
}

interface FillsOptions extends PublicOptions {
  readonly markets: Directory;
}

/** Our trades as maker and as taker. */
function fillsOf(account: AccountId, { markets, ...tools }: FillsOptions): readonly FillPages[] {
  const list = (role: Fill['role'], query: { makerId?: AccountId; takerId?: AccountId }): FillPages => ({
    ...tradePages({ ...tools, query, map: (trade) => fillOf(trade, { role, markets }) }),
    has: (fill) => fill.role === undefined || fill.role === role,
  });
  return [list('maker', { makerId: account }), list('taker', { takerId: account })];
}
