// Invariant at Hyperliquid: no nonce is used twice, those of a process are higher than those of earlier ones, and an order is settled with its own nonce.
import type { MakeCheck } from '../environment/scene.ts';

export const nonces: MakeCheck = ({ venue: { api }, record, tolerated, reached, fail }) => {
  /** By process: the highest nonce of its actions that a later process can know. */
  const highest = new Map<number, number>();
  /** By process: the nonces of its orders. */
  const ofOrders = new Map<number, Set<number>>();
  const used = new Set<number>();
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
      if (used.has(nonce)) fail('V11', `a ${kind} is signed with the nonce ${nonce}, which was used`);
      used.add(nonce);
      if (kind === 'placeOrder') ofOrders.set(number, (ofOrders.get(number) ?? new Set()).add(nonce));
      // A cancel whose nonce could not be written is sent as well, and later processes do not know of it.
      if (kind === 'cancelOrder' && tolerated.isDiskBad()) return;
      highest.set(number, Math.max(highest.get(number) ?? 0, nonce));
      if (record.losses > 0) return;
      const before = Math.max(0, ...[...highest].map(([process, nonceThere]) => (process < number ? nonceThere : 0)));
      if (nonce <= before) fail('V11', `a ${kind} is signed with the nonce ${nonce}, and an earlier process has used ${before}`);
    },
  };
};
