// Invariant: nothing is signed with terms of a market that the exchange is known to have changed, nor with terms whose last check is older than OLDEST.
import type { Millis } from '../../../base/clock.ts';
import type { RestingOrder } from '../../../bot/domain/account.ts';
import type { MakeCheck } from '../environment/scene.ts';
import { AFTER_CANCELS } from './actions.ts';

/** The bot checks every few seconds, and counts a check that is a minute old as unhealthy. */
const OLDEST: Millis = 80_000;

/** The listings that a process has received. */
interface ReceivedListings {
  /** The first listing that the process received, as text. The process signs with its terms. */
  readonly termsAtStart: string;
  readonly asked: Millis;
  /** Since when the newest listing differs from it. */
  readonly changed: Millis | undefined;
}

export const listing: MakeCheck = (scene) => {
  const { venue, fail, reached } = scene;
  /** By process. */
  const listingsByProcess = new Map<number, ReceivedListings>();
  /** By process: when an account first showed an order with other terms than it was signed with. */
  const mismatchShownAt = new Map<number, Millis>();
  const hasOtherTerms = (termsAtStart: string): boolean => {
    if (scene.faults.of('decimals').length === 0 && scene.faults.of('relist').length === 0) return false;
    return scene.faults.on('relist') === undefined && termsAtStart !== venue.listing(); // while it is relisted, no order is accepted
  };
  /**
   * True if the account shows other terms than the order was signed with. Only orders of `truth.misread` can: those signed with outdated terms. Fewer lots
   * are no sign: a server may list what was left when the order came to rest.
   */
  const differsFromSigned = ({ clientOrderId = '', price, originalSize }: RestingOrder): boolean => {
    const [signedAction] = venue.truth.misread.has(clientOrderId) ? venue.truth.placements(clientOrderId) : [];
    return (
      signedAction?.action.kind === 'placeOrder' &&
      (signedAction.action.price !== BigInt(price) || signedAction.action.size < BigInt(originalSize))
    );
  };
  return {
    turn({ events }, { number }) {
      for (const event of events) {
        if (event.kind !== 'accountSeen' || venue.truth.misread.size === 0 || mismatchShownAt.has(number)) continue;
        if (event.account.orders.some((order) => differsFromSigned(order))) mismatchShownAt.set(number, venue.clockNow());
      }
    },
    received(request, { status, body }, { asked, altered, by }) {
      const text = altered || status !== 200 ? undefined : venue.api.termsIn(request, body);
      if (text === undefined) return;
      if (asked < (listingsByProcess.get(by.number)?.asked ?? 0)) return; // it was overtaken on its way
      const before = listingsByProcess.get(by.number) ?? { termsAtStart: text, asked, changed: undefined };
      const changed = text === before.termsAtStart ? undefined : (before.changed ?? venue.clockNow());
      if (changed !== undefined && before.changed === undefined && venue.truth.open().length > 0)
        reached('market terms changed with orders resting');
      listingsByProcess.set(by.number, { ...before, asked, changed });
    },
    answered(action, { kind }) {
      if (action.kind !== 'placeOrder' || kind !== 'placeOrder') return;
      const [signedAction] = venue.truth.placements(action.clientOrderId ?? '');
      // The exchange may have changed its terms since the order was sent.
      const termsAtStart = signedAction && listingsByProcess.get(signedAction.process)?.termsAtStart;
      if (termsAtStart !== undefined && hasOtherTerms(termsAtStart)) venue.truth.misread.set(action.clientOrderId ?? '', venue.clockNow());
    },
    sent({ action }, { number }) {
      const listings = listingsByProcess.get(number);
      if (action.kind !== 'placeOrder' || listings === undefined) return;
      const now = venue.clockNow();
      if (hasOtherTerms(listings.termsAtStart)) {
        reached('order signed with outdated market terms');
        venue.truth.misread.set(action.clientOrderId ?? '', now);
        const shown = mismatchShownAt.get(number);
        if (shown !== undefined && now > shown + AFTER_CANCELS)
          fail(
            'V19',
            `order ${action.clientOrderId} is signed ${now - shown} ms after an account showed an order with other terms than it was sent with`,
          );
      }
      if (listings.changed !== undefined && now > listings.changed + AFTER_CANCELS)
        fail('V19', `order ${action.clientOrderId} is signed with terms that were known to have changed ${now - listings.changed} ms ago`);
      if (now > listings.asked + OLDEST + AFTER_CANCELS)
        fail('V8', `order ${action.clientOrderId} is signed with terms that were last checked ${now - listings.asked} ms ago`);
    },
  };
};
