// Invariant: an order is reported as never in the book only on evidence that this process itself has received. The evidence is read from the replies.
import type { Millis } from '../../../base/clock.ts';
import { type HttpRequest, isRead } from '../../../base/transport/transport.ts';
import { opposite, signOf } from '../../../bot/domain/book.ts';
import type { Market } from '../../../bot/domain/market.ts';
import type { MakeCheck } from '../environment/scene.ts';
import type { SimulatedVenue } from '../environment/venue.ts';
import type { ReceivedReply, ShownAccount } from '../exchange-api.ts';
import type { DurableRecord } from '../record/durable-record.ts';
import { ACCOUNTS_APART } from '../record/proof-reads.ts';
import type { SignedAction } from '../record/signed-action.ts';

/** An action is signed at most this long before it is sent: it waits for the cancels of its turn, and the turn for its newest event. */
const SIGNED_BEFORE: Millis = 4_500;

export const absenceEvidence: MakeCheck = ({ venue, record, now, fail }) => {
  const received = new Map<number, ReceivedReplies>();
  const trades = new Trades(venue, record);
  const { api } = venue;
  const repliesOf = (process: number): ReceivedReplies => {
    const replies = received.get(process) ?? new ReceivedReplies(venue);
    received.set(process, replies);
    return replies;
  };
  /**
   * Returns the earliest time at which the bytes were dead by the clock of a process: after their longest life since it signed them or, if another process
   * did, since it began.
   */
  const outlivedAt = ({ action, sentAt, process }: SignedAction, by: number): Millis => {
    const sent = sentAt + venue.clockNow() - now();
    const heard = repliesOf(process).secondsAt(sent) ?? action.timestamp;
    const life = Math.max(0, api.deadAfter(action) - heard) * 1_000;
    return (process === by ? sent - SIGNED_BEFORE : repliesOf(by).begun) + life;
  };
  return {
    received(request, { status, body }, { asked, altered, by }) {
      if (status !== 200 || !isRead(request)) return;
      const path = api.pathOf(request);
      const roles = api.rolesOf(request);
      if (altered && !(path === 'time' && api.secondsIn(body) !== undefined) && !trades.isTrulyEmpty(request, body)) return;
      const mine = repliesOf(by.number);
      mine.begun = Math.min(mine.begun, asked);
      const reply = { request, asked, at: venue.clockNow(), body };
      if (path === 'time') mine.times.push(reply);
      else if (api.isAccount(request)) mine.accounts.push(reply);
      for (const role of roles) mine.rounds[role].push(reply);
      if (roles.length > 0) trades.add(body);
    },
    turn({ changes }, by) {
      for (const { order, status, reason } of changes) {
        if (status !== 'cancelled' || reason !== 'never reached the book') continue;
        const signed = venue.truth.placements(order.clientOrderId);
        const market = venue.exchange.markets[order.market];
        if (signed.length === 0 || market === undefined) continue; // an order that was never sent is dead in any case
        const dead = Math.max(...signed.map(({ action }) => api.deadAfter(action)));
        const missing = repliesOf(by.number).missingEvidence({
          clientOrderId: order.clientOrderId,
          dead,
          outlived: Math.max(...signed.map((one) => outlivedAt(one, by.number))),
          market,
          trades,
        });
        if (missing !== undefined) fail('V12', `order ${order.clientOrderId} is reported as never in the book, and ${missing}`);
      }
    },
  };
};

/** The replies that one process has received. */
class ReceivedReplies {
  readonly #venue: SimulatedVenue;
  /** When the first reply was requested. */
  begun: Millis = Number.POSITIVE_INFINITY;
  readonly times: ReceivedReply[] = [];
  readonly accounts: ReceivedReply[] = [];
  readonly rounds = { maker: [] as ReceivedReply[], taker: [] as ReceivedReply[] };

  constructor(venue: SimulatedVenue) {
    this.#venue = venue;
  }

  /**
   * Returns the evidence that is missing for an order's absence; undefined if all was received. A time that goes back after all was received takes
   * nothing from it: the report may wait for trades.
   */
  missingEvidence(claim: Claim): string | undefined {
    const periods = this.#periodsPast(claim.dead);
    const missing = periods.map((period) => this.#missingIn(period, claim));
    if (missing.includes(undefined)) return undefined;
    return periods.at(-1)?.until === Number.POSITIVE_INFINITY
      ? missing.at(-1)
      : `its bytes were not known to be dead at engine second ${claim.dead}`;
  }

  #missingIn({ since: past, until }: Period, { clientOrderId, outlived, market, trades }: Claim): string | undefined {
    const witnesses = this.#accountsFrom(Math.max(past, outlived)).filter(({ at }) => at < until);
    const lacking = witnesses.filter((account) => !account.hasOrder(clientOrderId));
    const [first] = lacking;
    const second = lacking.find(({ asked }) => first !== undefined && asked >= first.asked + ACCOUNTS_APART);
    if (second === undefined)
      return `no two accounts lack it that were asked for ${ACCOUNTS_APART} ms apart after its bytes were dead by both clocks`;
    for (const role of ['maker', 'taker'] as const)
      if (!this.rounds[role].some(({ asked, at }) => asked >= second.at && at < until))
        return `our trades as ${role} were not read after that`;
    const agrees = (account: Witness): boolean =>
      account.asked >= second.asked && trades.sums(market, account.action, account.lastAction).has(account.positionIn(market));
    return witnesses.some(agrees) ? undefined : 'no account since shows a position that the reported trades explain';
  }

  /** The exchange's time in seconds that was received last before this moment. */
  secondsAt(moment: Millis): number | undefined {
    const reply = this.times.findLast(({ at }) => at <= moment);
    const { api } = this.#venue;
    return reply && (api.secondsIn(reply.body) ?? 0) + api.countedOn(moment - reply.asked);
  }

  /** The periods in which engine time was reported to be later than `seconds`: from the first report until one contradicts it. */
  #periodsPast(seconds: number): readonly Period[] {
    const periods: Period[] = [];
    let since: Millis | undefined;
    let newest = 0;
    for (const { asked, at, body } of this.times) {
      if (asked < newest) continue; // it was overtaken on its way
      newest = asked;
      const value = this.#venue.api.secondsIn(body) ?? 0;
      if (value > seconds) since ??= at;
      else if (since !== undefined) {
        periods.push({ since, until: at });
        since = undefined;
      }
    }
    return since === undefined ? periods : [...periods, { since, until: Number.POSITIVE_INFINITY }];
  }

  /** The accounts requested from that moment on, except those older than one received before them. */
  #accountsFrom(when: Millis): readonly Witness[] {
    let newest = 0;
    const since = this.accounts.filter(({ asked }) => asked >= when);
    return this.#venue.api.accountsIn(since).flatMap((account): Witness[] => {
      const action = this.#venue.actionOf(account.updateId);
      if (action < newest) return [];
      newest = action;
      return [{ ...account, action, lastAction: this.#venue.lastActionOf(account.updateId) }];
    });
  }
}

interface Period {
  readonly since: Millis;
  /** Infinity if it has not ended. */
  readonly until: Millis;
}

interface Claim {
  readonly clientOrderId: string;
  /** Engine seconds that must be over. */
  readonly dead: number;
  /** When its bytes had lived as long as they could by the clock of the process. */
  readonly outlived: Millis;
  readonly market: Market;
  readonly trades: Trades;
}

interface Witness extends ShownAccount {
  /** The last action of the exchange that it includes: this one, or a later one up to `lastAction`. */
  readonly action: number;
  readonly lastAction: number;
}

/** All trades of the account that any process has received. A reply is parsed when it is needed, and once. */
class Trades {
  readonly #venue: SimulatedVenue;
  readonly #record: DurableRecord;
  readonly #known = new Set<string>();
  #unread: Uint8Array[] = [];

  constructor(venue: SimulatedVenue, record: DurableRecord) {
    this.#venue = venue;
    this.#record = record;
  }

  /** True if the page lists no trade and there is none to list: the reply to another request then equals the right one. */
  isTrulyEmpty(request: HttpRequest, body: Uint8Array): boolean {
    const { api, truth, account } = this.#venue;
    const roles = api.rolesOf(request).map((role) => (role === 'maker' ? 'makerId' : 'takerId'));
    const since = roles.length === 0 ? undefined : api.emptySince(request, body);
    return since !== undefined && !truth.trades().some((trade) => roles.some((role) => trade[role] === account) && trade.time >= since);
  }

  add(body: Uint8Array): void {
    this.#unread.push(body);
  }

  /** Returns the values of `#sum` at these two actions of the exchange and at all actions between them. */
  sums(market: Market, first: number, last: number): ReadonlySet<number> {
    const within = this.#venue.truth.trades().map(({ actionId }) => Number(actionId));
    const actions = new Set([first, ...within.filter((action) => action > first && action <= last)]);
    return new Set([...actions].map((action) => this.#sum(market, action)));
  }

  /**
   * Returns the position before the run plus the sum of the trades up to that action of the exchange, in lots. Includes trades from before the run, which are
   * part of its first position although a start reads only one page of them. Excludes trades that a rollback has undone; their ids are assigned again.
   */
  #sum(market: Market, action: number): number {
    const { api, truth, account, exchange } = this.#venue;
    for (const body of this.#unread) for (const key of api.tradeKeysIn(body, exchange.markets)) this.#known.add(key);
    this.#unread = [];
    let sum: number = truth.openings.get(market.id) ?? 0;
    for (const trade of truth.trades()) {
      if (trade.market !== market.id || Number(trade.actionId) > action) continue;
      const isFromBefore =
        this.#record.toleratedTrades.has(`${trade.tradeId}/${trade.takerSide}`) ||
        this.#record.toleratedTrades.has(`${trade.tradeId}/${opposite(trade.takerSide)}`);
      if (!isFromBefore && !this.#known.has(api.tradeKeyOf(trade))) continue;
      const taken = signOf(trade.takerSide) * trade.size;
      if (trade.takerId === account) sum += taken;
      if (trade.makerId === account) sum -= taken;
    }
    return sum;
  }
}
