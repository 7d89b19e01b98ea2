// The hosted exchange as the kit trades at it: an account of the user's key, whose actions are signed in a session.
import { merge } from 'rxjs';
import { assert } from '../../base/assert.ts';
import type { Clock } from '../../base/clock.ts';
import { memoizeLast } from '../../base/collections/memoize-last.ts';
import type { Rng } from '../../base/rng.ts';
import type { AccountId } from '../../domain/ids.ts';
import type { Market } from '../../domain/market.ts';
import type { Fill } from '../../domain/order.ts';
import type { Log } from '../../exchange/kit/log.ts';
import type { WriteAhead } from '../../exchange/kit/sending/outgoing.ts';
import type { FillPages, ReadAccount, VenueClient } from '../../exchange/kit/venue-client.ts';
import type { Wallet } from '../../run/keys/wallet.ts';
import { ActionCodec } from '../../wire/codec.ts';
import { ED25519, type Signatures, toBase58 } from '../../wire/ed25519.ts';
import type { AccountReply } from '../../wire/json/hosted.ts';
import type { ActionSchema } from '../../wire/schema/schema.ts';
import { feesOf, isListedOpen, type Owner, ownerOf, userOf } from './account/account-reads.ts';
import { accountOf, countsOf } from './account/account-snapshot.ts';
import { type Directory, directoryOf, fillOf } from './market/snapshots.ts';
import { type DialStreams, hostedStreams } from './market/streams.ts';
import { hostedPublicClient, type PublicOptions, tradePages } from './public-client.ts';
import { EngineTime } from './session/engine-time.ts';
import { listSessions, openSession } from './session/open-session.ts';
import { OtherSessions } from './session/other-sessions.ts';
import { Session } from './session/session.ts';
import { nonceCounter } from './session/sign-action.ts';
import { SignedActions } from './signed-actions.ts';

const SESSION_SECONDS = 86_400;

export interface HostedVenueOptions extends Pick<PublicOptions, 'client' | 'dates'> {
  readonly clock: Clock;
  readonly rng: Rng;
  readonly log: Log;
  /** Writes requests for sessions ahead. */
  readonly writeAhead: WriteAhead;
  /** Used only to open a session. */
  readonly wallet: Wallet;
  /** The user's first account by default. */
  readonly accountId?: AccountId | undefined;
  readonly schema: ActionSchema;
  /** Secret key of the session, 32 bytes; with the same key a restart continues the session that is still alive. */
  readonly sessionKey: Uint8Array;
  /** Ed25519 by default: only a simulated exchange accepts another. */
  readonly signatures?: Signatures | undefined;
  /** Requested life of a session; a day by default. The exchange may shorten it. */
  readonly sessionSeconds?: number | undefined;
  /** 32 bits; must differ from the nonces of a run that ended within the last minutes. */
  readonly firstNonce: number;
  /** Opens the exchange's websocket, which reports books and account changes earlier than the polls; if absent, there are only polls. */
  readonly dialStreams?: DialStreams | undefined;
}

/** What signs: the session, its key, and what an action needs beside them. */
function signingTools(options: HostedVenueOptions) {
  const { client, clock, rng, log, writeAhead, wallet } = options;
  const codec = new ActionCodec(options.schema);
  const signer = (options.signatures ?? ED25519).signerFrom(options.sessionKey);
  const nextNonce = nonceCounter(options.firstNonce);
  const tools = { client, codec, clock, time: new EngineTime(), signer, nextNonce, writeAhead, log };
  const lifeSeconds = options.sessionSeconds ?? SESSION_SECONDS;
  const opening = { ...tools, wallet, lifeSeconds, granted: { lifeSeconds }, others: new OtherSessions({ clock, log }) };
  const session = new Session({
    ...opening,
    rng: rng.fork('session'),
    open: (unwanted) => openSession(opening, unwanted),
    look: () => listSessions(opening),
  });
  return { ...tools, session };
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
      const actions = new SignedActions({ ...tools, ...owner, dates: options.dates });
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
      return merge(session.events, owned().actions.events);
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
