// Invariant: the position stays within the bot's own worst case, the worst case within the limits, and nothing is opened when it must not be.
import type { Millis } from '../../../base/clock.ts';
import { signOf } from '../../../bot/domain/book.ts';
import { isStricter } from '../../../bot/domain/mode.ts';
import { lots } from '../../../bot/domain/numbers.ts';
import type { WireAction } from '../../../venues/wire/codec.ts';
import type { MakeCheck, Process } from '../environment/scene.ts';
import { dataAges } from '../limits.ts';
import { lieNamed } from '../plan/lie-table.ts';
import { AFTER_CANCELS } from './actions.ts';

/** For this long after an order that was signed with outdated terms, the bot may not know its position. */
const MISREAD: Millis = 40_000;

/** The price may have moved since the guard checked the limit. */
const SLACK = 1.1;

type Placement = Extract<WireAction, { readonly kind: 'placeOrder' }>;

export const exposure: MakeCheck = (scene) => {
  const { venue, fail } = scene;
  /** By process and endpoint: when the newest good reply was requested, or, for a websocket, until when the exchange had the newest book. */
  const newestReplies = new Map<string, Millis>();
  const note = (key: string, at: Millis): void => void newestReplies.set(key, Math.max(at, newestReplies.get(key) ?? 0));
  /**
   * The processes whose newest account came without a part, and the newest action of their fills at that time. In a spot market only balances show what
   * others trade.
   */
  const withoutBalances = new Map<number, number>();
  const newestFill = new Map<number, number>();
  /** By process: when its newest account was requested, if its position is false. */
  const falseAccounts = new Map<number, Millis>();
  /** By process: when its newest fills were requested. */
  const fillsRead = new Map<number, Millis>();
  const lacksFills = (process: number): boolean => (falseAccounts.get(process) ?? Number.NEGATIVE_INFINITY) > (fillsRead.get(process) ?? 0);
  const isIn = (clientOrderId: string, market: number): boolean =>
    venue.truth.placements(clientOrderId).some(({ action }) => action.kind === 'placeOrder' && action.marketId === market);
  /** True shortly after an order of that market was signed with outdated terms. */
  const hasMisread = (market: number): boolean =>
    [...venue.truth.misread].some(([order, at]) => venue.clockNow() < at + MISREAD && isIn(order, market));
  /**
   * True for an order that closes the position that the bot believes to be left. After lots were made larger, the receipt of a closing order has fewer
   * lots than the bot expects, so it sends the rest until it sees the new terms. A reduce-only order opens nothing.
   */
  const closesByOldTerms = ({ marketId, side, reduceOnly }: Placement, by: Process): boolean => {
    const believed = reduceOnly && hasMisread(marketId) ? by.trading?.run.world.exposure(marketId) : undefined;
    if (believed === undefined) return false;
    return side === 'bid' ? believed.high + believed.bids <= 0 : believed.low - believed.asks >= 0;
  };
  return {
    received(request, reply, { asked, altered, by }) {
      const path = venue.api.pathOf(request);
      if (path === 'account' && reply.status === 200) {
        if (venue.replies.isShort(reply)) withoutBalances.set(by.number, newestFill.get(by.number) ?? 0);
        else withoutBalances.delete(by.number);
        if (scene.faults.allOn('lie').some(({ detail }) => lieNamed(detail)?.about === 'position')) falseAccounts.set(by.number, asked);
        else falseAccounts.delete(by.number);
      }
      if (altered || reply.status !== 200 || !venue.api.isWhole(request)) return;
      note(`${by.number}/${path}`, asked);
    },
    turn({ actions, events }, by) {
      const world = by.trading?.run.world;
      if (world === undefined) return;
      for (const event of events) {
        if (event.kind === 'bookSeen' && venue.streams !== undefined)
          note(`${by.number}/book`, venue.streams.currentUntil(event.book) ?? venue.clockNow());
        if (event.kind !== 'fillsSeen') continue;
        fillsRead.set(by.number, event.asked);
        newestFill.set(by.number, Math.max(newestFill.get(by.number) ?? 0, ...event.fills.map(({ actionId }) => Number(actionId))));
      }
      for (const { id, symbol, spec } of venue.exchange.markets) {
        if (!world.markets.has(id)) continue;
        const { low, high, bids, asks } = world.exposure(id);
        const truth = venue.truth.standing(id);
        if (world.account === undefined || world.isTakingOver) continue; // it knows that it may lack orders, and places nothing
        // Before a spot balance is known, nothing is opened there: an account without balances counts until the next account.
        const over = world.isBalanceKnown(id) && (truth.position + truth.bid > high + bids || truth.position - truth.ask < low - asks);
        const shown = (): number =>
          (spec.kind === 'spot' ? withoutBalances.get(by.number) : undefined) ?? scene.tolerated.newest(by.number);
        const byHand = (): boolean => venue.truth.tradedByHand(id, shown());
        if (
          over &&
          !lacksFills(by.number) &&
          !hasMisread(id) &&
          !byHand() &&
          !scene.tolerated.isAlarmPending(id) &&
          !scene.tolerated.isMisled(by.number)
        )
          fail(
            'V7',
            `in ${symbol} the bot's worst case is ${low - asks} to ${high + bids} lots; the truth is ${truth.position - truth.ask} to ${truth.position + truth.bid} (${events.map(({ kind }) => kind).join(', ')})`,
          );
        withinLimit(id);
      }

      function withinLimit(id: number): void {
        const market = world?.market(id);
        const index = venue.exchange.live(id)?.index;
        if (world === undefined || market === undefined || index === undefined) return;
        const { low, high, bids, asks } = world.exposure(id);
        for (const action of actions) {
          if (action.kind !== 'place' || action.market !== id) continue;
          const worst = lots(Math.max(0, action.side === 'bid' ? high + bids : asks - low));
          const opens = action.side === 'bid' ? high + bids > 0 : low - asks < 0;
          if (opens && market.price(index) * market.size(worst) > SLACK * scene.options.maxPosition)
            fail(
              'V7',
              `in ${market.symbol} a ${action.side} makes up to ${worst} lots possible, beyond the limit of ${scene.options.maxPosition}`,
            );
        }
      }
    },
    answered(action, { kind }, copy) {
      // A lie may mislead the bot about its position, but not past its limit.
      if (copy > 1 || action.kind !== 'placeOrder' || kind !== 'placeOrder' || scene.faults.of('lie').length === 0) return;
      if (scene.tolerated.isAlarmPending(action.marketId)) return;
      const { position, ...rests } = venue.truth.standing(action.marketId);
      const [market, index] = [venue.exchange.markets[action.marketId], venue.exchange.live(action.marketId)?.index];
      const worst = lots(Math.max(0, signOf(action.side) * position + rests[action.side]));
      if (market !== undefined && index !== undefined && market.price(index) * market.size(worst) > SLACK * scene.options.maxPosition)
        fail('V7', `in truth a ${action.side} makes up to ${worst} lots possible, beyond the limit of ${scene.options.maxPosition}`);
    },
    sent({ action }, by) {
      if (action.kind !== 'placeOrder') return;
      const world = by.trading?.run.world;
      if (world?.isTakingOver === true && world.mode === 'active')
        fail('V2', `order ${action.clientOrderId} is sent while orders from before the start may still turn up`);
      const { position } = venue.truth.standing(action.marketId);
      const opens = position * signOf(action.side) >= 0 || Number(action.size) > Math.abs(position);
      if (!opens || venue.truth.tradedByHand(action.marketId, scene.tolerated.newest(by.number)) || closesByOldTerms(action, by)) return;
      const requested = scene.requestedMode();
      if (requested !== undefined && isStricter(requested.mode, 'active') && scene.now() > requested.at)
        fail('V9', `order ${action.clientOrderId} opens ${scene.now() - requested.at} ms after ${requested.mode} was asked for`);
      for (const [path, most] of Object.entries(dataAges(scene.options))) {
        const asked = newestReplies.get(`${by.number}/${path}`);
        const age = asked === undefined ? undefined : venue.clockNow() - asked;
        if (age === undefined || age > most + AFTER_CANCELS)
          fail('V8', `order ${action.clientOrderId} opens on a ${path} ${age === undefined ? 'never seen' : `${age} ms old`}`);
      }
    },
  };
};
