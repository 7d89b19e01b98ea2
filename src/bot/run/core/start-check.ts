// Checks before a run acts on an account: it is the account of the journal, and no resting order in the run's markets is unknown.
// Resting orders that the journal knows remain orders of the run: `bot/run/state/history.ts`.
import type { Clock } from '../../../base/clock.ts';
import { UserError } from '../../../base/errors.ts';
import { timeText } from '../../../base/text/duration.ts';
import type { Account, RestingOrder } from '../../domain/account.ts';
import type { AccountRef, MarketId, OrderId } from '../../domain/ids.ts';
import type { Market } from '../../domain/market.ts';
import type { Admit } from '../../exchange/port.ts';
import { World } from '../../world/world.ts';
import { seriesOf } from '../state/client-order-ids.ts';
import type { Entry, ForeignOrdersPolicy, Identity, MarketListed, NewEntry } from '../state/entries.ts';
import { historyOf, notLater } from '../state/history.ts';
import type { State } from '../state/state.ts';

/** Exchange and user of a run; the account is known once the exchange has answered. */
export interface AccountHolder {
  readonly exchange: Identity['exchange'];
  /** Scheme, host and port. */
  readonly url?: string | undefined;
  /** The user's public key, in base58; absent if another process signs. */
  readonly user?: string | undefined;
  /**
   * What a later process must have in common with the journal. `address` by default: address, user and account. `account`: user and account, because
   * the address may change. `none`: each process has an account of its own, which no other run can trade.
   */
  readonly identity?: 'address' | 'account' | 'none' | undefined;
}

export interface StartCheck {
  readonly clock: Clock;
  readonly state: State;
  readonly holder: AccountHolder;
  /** Default `refuse`. */
  readonly foreign?: ForeignOrdersPolicy | undefined;
  /** Throws a UserError if another run on this machine trades the account. */
  readonly claim?: ((holder: AccountHolder & { readonly account: AccountRef }) => void) | undefined;
}

/**
 * Returns the check of the account that a connection has found, to be called before anything is signed. It throws a UserError `state` if the journal
 * belongs to another account, key or exchange, or if resting orders have ids of this run that its journal does not know; `foreign` if other unknown
 * orders rest in its markets.
 */
export function startCheck({ clock, state, holder, foreign: asked, claim }: StartCheck): Admit {
  const foreign = foreignNow(state.earlier, asked);
  const { identity: _, ...named } = holder;
  return ({ account, markets, accounts }) => {
    requireSame(identityIn(state.earlier), { ...holder, account });
    if (holder.identity !== 'none') claim?.({ ...named, account });
    if (foreign === 'refuse') requireKnown(unknownOrders(accounts, { clock, state, markets }), { state, markets });
    const at = timeText(clock.now());
    const takeover = foreign === 'adopt' || foreign === 'cancel' ? foreign : undefined;
    const entries: readonly NewEntry[] = [
      ...newIdentity(state, { ...named, account, at }),
      ...newListings(state, markets, at),
      ...(takeover === takeoverIn(state.earlier) ? [] : [{ kind: 'takeover', at, foreign: takeover } as const]),
    ];
    if (state.series !== undefined && entries.length > 0) state.append?.(entries);
  };
}

/** Returns what a start does with unknown orders: as requested, or else as in a takeover by an earlier process that is not over. */
export const foreignNow = (earlier: readonly Entry[], asked: ForeignOrdersPolicy = 'refuse'): ForeignOrdersPolicy =>
  asked === 'refuse' ? (takeoverIn(earlier) ?? asked) : asked;

const takeoverIn = (entries: readonly Entry[]): 'adopt' | 'cancel' | undefined =>
  entries.findLast((entry) => entry.kind === 'takeover')?.foreign;

const identityIn = (entries: readonly Entry[]): Identity | undefined => entries.findLast((entry) => entry.kind === 'identity');

/**
 * Returns the account that the run may trade, if it is known: the one that is named, or that of the journal. Call it before any request. Throws a
 * UserError `state` if the journal belongs to another account, key or exchange.
 */
export function requireOwnJournal(
  { earlier }: State,
  now: AccountHolder & { readonly account?: AccountRef | undefined },
): AccountRef | undefined {
  const before = identityIn(earlier);
  const account = now.account ?? before?.account;
  if (account !== undefined) requireSame(before, { ...now, account });
  return account;
}

/** Stands for the account of any local process that names its account by no number. */
const UNNUMBERED_ACCOUNT = 0;

/** Throws unless both are the same holder. */
function requireSame(before: Identity | undefined, now: AccountHolder & { readonly account: AccountRef }): void {
  if (before === undefined) return;
  const moved = before.url !== now.url && !(now.identity === 'account' && now.account !== UNNUMBERED_ACCOUNT);
  const differs =
    before.exchange !== now.exchange || (now.identity !== 'none' && (moved || before.user !== now.user || before.account !== now.account));
  if (!differs) return;
  throw new UserError({
    code: 'state',
    message: `the journal belongs to ${holderText(before)}, and this run trades ${holderText(now)}`,
    hint: 'choose another directory with --state DIR, or start with the account and the key of the journal',
  });
}

const holderText = ({ exchange, url, user, account }: AccountHolder & { readonly account?: AccountRef | undefined }): string =>
  [
    account === undefined ? undefined : `account ${account}`,
    user === undefined ? undefined : `of the key ${user}`,
    url === undefined ? `on the ${exchange} exchange` : `at ${url} (${exchange})`,
  ]
    .filter((part) => part !== undefined)
    .join(' ');

/** Unknown orders in any of the accounts, since one account may be incomplete; decided in the same way as in the run. */
function unknownOrders(
  accounts: readonly Account[],
  { clock, state, markets }: { clock: Clock; state: State; markets: readonly Market[] },
): readonly RestingOrder[] {
  const history = notLater(historyOf(state.earlier, new Map(markets.map((market) => [market.symbol, market]))), clock.now());
  const found = new Map<OrderId, RestingOrder>();
  for (const account of accounts) {
    const world = new World(markets);
    world.adopt(history);
    const at = clock.now();
    world.apply({ kind: 'accountSeen', at, asked: at, account });
    for (const { id } of markets) for (const order of world.foreignOrders(id)) found.set(order.orderId, order);
  }
  const journaledIds = idsIn(state.earlier);
  return [...found.values()].filter(({ orderId, clientOrderId }) => !journaledIds.has(orderId) && !journaledIds.has(clientOrderId));
}

/** Ids of all orders in the journal, including ended ones, which an old account may still list. Fills are kept for longer than ended orders. */
function idsIn(entries: readonly Entry[]): ReadonlySet<string | undefined> {
  const ids = new Set<string | undefined>();
  for (const entry of entries) {
    if (entry.kind === 'order') ids.add(entry.clientOrderId).add(entry.orderId);
    else if (entry.kind === 'fill') ids.add(entry.clientOrderId);
    else if (entry.kind === 'sent') ids.add(entry.clientOrderId);
  }
  ids.delete(undefined);
  return ids;
}

/** Orders beyond this number are counted, not listed. */
const LISTED = 50;

function requireKnown(orders: readonly RestingOrder[], { state, markets }: { state: State; markets: readonly Market[] }): void {
  if (orders.length === 0) return;
  const own = orders.filter(({ clientOrderId }) => clientOrderId !== undefined && seriesOf(clientOrderId) === state.series);
  const isOlder = own.length > 0;
  const byId = new Map(markets.map((market) => [market.id, market]));
  const lines = orders.slice(0, LISTED).map((order) => `\n  ${orderWords(order, byId)}${own.includes(order) ? ', of this run' : ''}`);
  const more = orders.length > LISTED ? `\n  and ${orders.length - LISTED} more` : '';
  const what = isOlder
    ? `the state is older than the account: ${own.length} resting orders have client order ids of this run that its journal does not know`
    : `${orders.length} orders rest in the markets of this run that its state does not know; they may belong to a run whose state is lost, another bot or a person`;
  const first = isOlder ? 'put the newest state directory back, or choose' : 'choose';
  throw new UserError({
    code: isOlder ? 'state' : 'foreign',
    message: `${what}${lines.join('')}${more}`,
    hint: `${first}: --adopt (they become orders of this run), --cancel-foreign (they are cancelled first), or --ignore-foreign (they stay, and guards count them)`,
  });
}

function orderWords(
  { orderId, clientOrderId, market: id, side, price, size }: RestingOrder,
  markets: ReadonlyMap<MarketId, Market>,
): string {
  const market = markets.get(id);
  const terms = market === undefined ? '' : ` ${market.sizeText(size)} ${market.symbol} at ${market.priceText(price)}`;
  return `${side}${terms}, order ${orderId}${clientOrderId === undefined ? '' : `, client order ${clientOrderId}`}`;
}

/** The identity, if the journal has none or the address has changed. */
function newIdentity(state: State, identity: Omit<Identity, 'kind' | 'series'>): readonly Identity[] {
  const before = identityIn(state.earlier);
  if (state.series === undefined || (before !== undefined && before.url === identity.url)) return [];
  return [{ kind: 'identity', series: state.series, ...identity }];
}

/** Returns the markets that are missing in the journal or differ there. */
function newListings(state: State, markets: readonly Market[], at: string): readonly MarketListed[] {
  const journaled = new Map<string, string>();
  for (const entry of state.earlier) if (entry.kind === 'market') journaled.set(entry.spec.symbol, JSON.stringify(entry.spec));
  const changed = markets.filter(({ symbol, spec }) => journaled.get(symbol) !== JSON.stringify(spec));
  return changed.map(({ spec }) => ({ kind: 'market', at, spec }));
}
