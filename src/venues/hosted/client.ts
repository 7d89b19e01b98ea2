// The hosted exchange as the kit trades at it: an account of the user's key, whose actions are signed in a session.
import { merge } from 'rxjs';
import { memoizeLast } from '../../base/collections/recent.ts';
import { assert } from '../../base/errors.ts';
import { toBase58 } from '../../base/wire/ed25519.ts';
import type { AccountId } from '../../bot/domain/ids.ts';
import type { Market } from '../../bot/domain/market.ts';
import type { Fill } from '../../bot/domain/order.ts';
import type { FillPages, ReadAccount, VenueClient } from '../../bot/exchange/kit/venue-client.ts';
import type { HostedClient } from '../client/hosted.ts';
import { pushStreams } from '../shared/push.ts';
import type { AccountReply } from '../wire/json/hosted.ts';
import { feesOf, isListedOpen, type Owner, ownerOf, userOf } from './account-reads.ts';
import { accountOf, countsOf } from './account-snapshot.ts';
import { SignedActions } from './placing.ts';
import { type HostedPublicOptions, hostedPublicClient, tradePages } from './public-client.ts';
import { Session } from './session/session.ts';
import { type SigningOptions, signingContextFrom } from './signing-context.ts';
import { type Directory, directoryOf, fillOf } from './snapshots.ts';
import { type DialStreams, socketsOf } from './streams.ts';

export interface HostedVenueOptions extends SigningOptions {
  /** The user's first account by default. */
  readonly accountId?: AccountId | undefined;
  /** Opens the exchange's websocket, which reports books and account changes earlier than the polls; if absent, there are only polls. */
  readonly dialStreams?: DialStreams | undefined;
}

export interface HostedVenueClient extends VenueClient {
  readonly requests: HostedClient;
  readonly session: Session;
}

export function hostedVenueClient(options: HostedVenueOptions): HostedVenueClient {
  const { wallet, dialStreams, accountId: wanted } = options;
  const signing = signingContextFrom(options);
  const { client } = signing;
  const session = new Session(signing);
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
    ...hostedPublicClient(signing),
    requests: client,
    session,
    async owner() {
      if (found !== undefined) return found.account;
      const user = await userOf(client, publicKey);
      if (!isOpen && (user === undefined || user.accountIds.length === 0)) return undefined;
      const owner = ownerOf(user, { publicKey, wanted, extras: signing.codec.extras });
      found ??= { ...owner, actions: new SignedActions({ ...signing, ...owner, session }) };
      return found.account;
    },
    async open() {
      await (signing.onlyCancels ? session.openForCancels() : session.open());
      isOpen = true;
    },
    account: async (markets) => accountIn(markets)(await client.account(owned().account)),
    fees: () => feesOf(owned().account, client),
    fills: (markets) => fillsOf(owned().account, { ...signing, markets: directoryOf(markets) }),
    isOpen: ({ orderId }) => isListedOpen(client, { account: owned().account, orderId }),
    prepare: (actions) => actions.map((action) => owned().actions.prepare(action)),
    observe: (event) => owned().actions.observe(event),
    get events() {
      return merge(session.events, signing.health, owned().actions.events);
    },
    ...(dialStreams !== undefined && {
      streams: (markets, context) => pushStreams(socketsOf({ dial: dialStreams, markets, account: owned().account }), context),
    }),
    close: () => session.close(),
  };
}

interface FillsOptions extends HostedPublicOptions {
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
