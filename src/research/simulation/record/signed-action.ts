// One signed body of the bot: how often it was sent and executed, and what the bot received about it.
import type { Millis } from '../../../base/clock.ts';
import type { Receipt, WireAction } from '../../../venues/wire/codec.ts';

export interface SignedAction {
  readonly hash: string;
  readonly action: WireAction;
  /** When its first byte was sent, and by which process. */
  readonly sentAt: Millis;
  readonly process: number;
  sent: number;
  readonly executions: { readonly at: Millis; readonly receipt: Receipt }[];
  /** How many copies of it have arrived at the exchange. */
  arrivals: number;
  /** True once a process has received how it ended. */
  isOutcomeReceived: boolean;
  /** True if the exchange has forgotten its duplicates since it was first executed. */
  forgotten: boolean;
  /** True if the process received the refusal of another action as the answer to it, and could not know that by the time it was sent. */
  misanswered: boolean;
}

export function nameOf(action: WireAction): string {
  if (action.kind === 'placeOrder')
    return `${action.side} ${action.size} at ${action.price}, client order ${action.clientOrderId ?? 'none'}`;
  return action.kind === 'cancelOrder' ? `cancel of ${action.orderId}` : action.kind;
}
