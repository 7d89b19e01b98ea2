// Invariants of signed actions: each signed body is announced on disk before it is sent, is exactly what was approved, is signed within its time, and is
// executed once. `docs/reliability.md` lists the numbers of the invariants (V11, V19).
import type { Millis } from '../../../base/clock.ts';
import type { Action } from '../../../bot/domain/action.ts';
import type { WireAction } from '../../../venues/wire/codec.ts';
import { bundledSchema, type Comparison, compareWithPublished } from '../../../venues/wire/schema/schema.ts';
import type { MakeCheck } from '../environment/scene.ts';
import { nameOf, type SignedAction } from '../record/signed-action.ts';

/** How long an action may wait for the cancels before it, between its signature and its sending. */
export const AFTER_CANCELS: Millis = 3_500;

/** A reading of the exchange's time, and when it was requested and received. */
interface ReceivedTime {
  readonly seconds: number;
  readonly asked: Millis;
  readonly at: Millis;
}

const bodyKey = (action: WireAction): string => `${nameOf(action)}, nonce ${action.nonce}`;

export const actions: MakeCheck = (scene) => {
  const { record, venue, fail, reached } = scene;
  const { api } = venue;
  const approved = new Map<string, Action>();
  /**
   * By process: the highest engine time received, last, and before it those that were still the highest within the last `AFTER_CANCELS`. An action that is
   * sent now may have been signed with any of them.
   */
  const latestTimes = new Map<number, readonly ReceivedTime[]>();
  /** Cancels that were sent although the disk failed. */
  const unwritten = new Set<string>();
  /** By process: its schema against the one that it has received. */
  const compared = new Map<number, Comparison>();
  return {
    turn({ actions: done }) {
      for (const action of done) approved.set(keyOf(action), action);
    },
    received(request, reply, { asked, altered, by }) {
      if (request.path === '/schema.proto' && reply.status === 200 && !altered)
        compared.set(by.number, compareWithPublished(bundledSchema(), new TextDecoder().decode(reply.body)));
      if (api.pathOf(request) !== 'time' || reply.status !== 200) return;
      const seconds = api.secondsIn(reply.body);
      const before = latestTimes.get(by.number) ?? [];
      if (seconds === undefined || seconds < (before.at(-1)?.seconds ?? 0)) return;
      const at = venue.clockNow();
      // Keeps a reading that a higher one has replaced only lately.
      const recent = before.filter((_, index) => (before[index + 1]?.at ?? at) >= at - AFTER_CANCELS);
      latestTimes.set(by.number, [...recent, { seconds, asked, at }]);
    },
    requested(request, by) {
      if (api.pathOf(request) !== 'action' || request.body === undefined) return;
      const { body } = request;
      const action = decoded((sent) => api.actionIn(sent), body);
      if (action === undefined) return fail('V19', 'what was sent is no action');
      if (action.kind === 'other') return; // at Hyperliquid it only uses up a nonce; see `nonces` below
      // A cancel is sent even if the disk fails. It may wait for others until the disk is good again.
      if (!record.hasSent(action, body)) {
        if (action.kind !== 'placeOrder' && scene.tolerated.isDiskBad(scene.now() - AFTER_CANCELS, scene.now()))
          unwritten.add(bodyKey(action));
        else fail('V3', `a ${action.kind} is sent that is not in the synced part of the disk (${nameOf(action)})`);
      }
      const times = latestTimes.get(by.number);
      // A cancel does no harm, whenever it is executed.
      const allowed = times && Math.max(...times.map((time) => time.seconds + api.signedAhead(venue.clockNow() - time.asked)));
      if (action.kind !== 'cancelOrder' && (allowed === undefined || action.timestamp > allowed)) {
        fail(
          'V11',
          `a ${action.kind} is signed for ${action.timestamp}, the latest engine time received is ${times?.at(-1)?.seconds ?? 'none'}`,
        );
      }
    },
    sent(signedAction, by) {
      // A later process does not know the nonce of a cancel that could not be written. It may sign the same bytes while the exchange's time stands still.
      const isRepeatKnown = signedAction.process === by.number || !unwritten.has(bodyKey(signedAction.action));
      if (signedAction.sent > 1 && isRepeatKnown)
        fail('V1', `the same bytes were sent ${signedAction.sent} times (${nameOf(signedAction.action)})`);
      const { conflicts = [], omitted = [] } = compared.get(by.number) ?? {};
      if (conflicts.length > 0) fail('V19', `an action is signed although the exchange reads it otherwise: ${conflicts.join()}`);
      if (signedAction.action.kind === 'placeOrder') {
        if (omitted.length > 0 && signedAction.action.reduceOnly === true)
          fail('V19', `an order is sent with a field that the exchange does not publish: ${omitted.join()}`);
        const bodies = venue.truth.placements(signedAction.action.clientOrderId ?? '').length;
        // They include this body.
        if (bodies > 1) fail('V1', `client order id ${signedAction.action.clientOrderId} was sent in ${bodies} different bodies`);
        const intended = approved.get(`place/${signedAction.action.clientOrderId}`);
        if (intended === undefined || !isSame(signedAction.action, intended)) {
          fail('V19', `what was sent as ${signedAction.action.clientOrderId} is not what was approved`);
        }
      }
      if (!by.life.alive) fail('V21', 'a dead process sends');
    },
    answered(action, receipt, copy) {
      if (receipt.kind === 'err' && receipt.error === 'DUPLICATE') reached('duplicate refused');
      if (copy > 1 || receipt.kind === 'err') return;
      for (const signedAction of signedActionsOf(action, venue.truth.signedActions))
        if (signedAction.executions.length > 1 && !signedAction.forgotten) fail('V1', `executed twice: ${nameOf(action)}`);
    },
    quiescent() {
      for (const signedAction of venue.truth.signedActions.values()) {
        if (signedAction.executions.length > 1 && signedAction.action.kind === 'placeOrder' && !signedAction.forgotten)
          fail('V1', `executed ${signedAction.executions.length} times: ${nameOf(signedAction.action)}`);
      }
    },
  };
};

const keyOf = (action: Action): string => (action.kind === 'place' ? `place/${action.clientOrderId}` : `cancel/${action.orderId}`);

function isSame(sent: Extract<WireAction, { kind: 'placeOrder' }>, approved: Action): boolean {
  return (
    approved.kind === 'place' &&
    sent.marketId === approved.market &&
    sent.side === approved.side &&
    sent.price === BigInt(approved.price) &&
    sent.size === BigInt(approved.size) &&
    sent.fillMode === approved.fillMode
  );
}

function* signedActionsOf(action: WireAction, signedActions: ReadonlyMap<string, SignedAction>): Iterable<SignedAction> {
  for (const signedAction of signedActions.values())
    if (signedAction.action.nonce === action.nonce && signedAction.action.timestamp === action.timestamp) yield signedAction;
}

function decoded(decode: (body: Uint8Array) => WireAction, body: Uint8Array): WireAction | undefined {
  try {
    return decode(body);
  } catch {
    return undefined;
  }
}

/** At Hyperliquid: no nonce is used twice, those of a process are higher than those of earlier ones, and an order is settled with its own nonce. */
export const nonces: MakeCheck = ({ venue: { api }, record, tolerated, now, reached, fail }) => {
  /** By process: the highest nonce of its actions that a later process can know. */
  const highest = new Map<number, number>();
  /** By process: the nonces of its orders. */
  const ofOrders = new Map<number, Set<number>>();
  /** Those that later processes can know. */
  const used = new Set<number>();
  const usedBy = new Map<number, Set<number>>();
  let losses = 0;
  /** Later processes cannot know what a lost state held. While the exchange's time stands still, they may choose a nonce of it: the exchange refuses it. */
  const forgetLost = (): void => {
    if (record.losses === losses) return;
    losses = record.losses;
    used.clear();
    highest.clear();
  };
  return {
    requested(request, { number }) {
      if (api.pathOf(request) !== 'action' || request.body === undefined) return;
      const { kind, nonce } = api.actionIn(request.body);
      if (kind === 'other' && ofOrders.get(number)?.has(nonce) !== true)
        fail('V11', `nonce ${nonce} is used up, and no order was sent with it`);
    },
    answered({ kind }, receipt) {
      if (kind === 'other') reached(receipt.kind === 'err' ? 'order settled as admitted' : 'order settled as never admitted');
    },
    sent({ action: { kind, nonce } }, { number }) {
      forgetLost();
      if (used.has(nonce) || usedBy.get(number)?.has(nonce)) fail('V11', `a ${kind} is signed with the nonce ${nonce}, which was used`);
      usedBy.set(number, (usedBy.get(number) ?? new Set()).add(nonce));
      if (kind === 'placeOrder') ofOrders.set(number, (ofOrders.get(number) ?? new Set()).add(nonce));
      // A cancel whose nonce could not be written is sent as well. Later processes do not know of it: while the exchange's time stands still, their
      // first action may have the same nonce. The exchange refuses it, and the other invariants judge what the bot makes of that.
      if (kind === 'cancelOrder' && tolerated.isDiskBad(now() - AFTER_CANCELS, now())) return;
      used.add(nonce);
      highest.set(number, Math.max(highest.get(number) ?? 0, nonce));
      const before = Math.max(0, ...[...highest].map(([process, nonceThere]) => (process < number ? nonceThere : 0)));
      if (nonce <= before) fail('V11', `a ${kind} is signed with the nonce ${nonce}, and an earlier process has used ${before}`);
    },
  };
};
