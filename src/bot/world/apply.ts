// Passes each kind of event to the parts of the world that it concerns, and to no others, because a backtest has millions of events.
import { unreachable } from '../../base/errors.ts';
import type { Event } from '../domain/event.ts';
import type { Commands } from './commands.ts';
import type { Health } from './health.ts';
import type { InputValues } from './inputs.ts';
import type { Candles } from './market/candles.ts';
import type { Prices } from './market/prices.ts';
import type { AccountBinding } from './position/account-binding.ts';
import type { AccountState } from './position/account-state.ts';
import type { Accounting, AccountingInputs } from './position/accounting.ts';
import type { Revisions } from './revisions.ts';

export interface WorldParts {
  readonly prices: Prices;
  readonly candles: Candles;
  readonly accountState: AccountState;
  readonly accounting: Accounting;
  readonly binding: AccountBinding;
  readonly health: Health;
  readonly inputs: InputValues;
  readonly revisions: Revisions;
  readonly commands: Commands;
  readonly world: AccountingInputs;
}

/** Applies an event to all parts that it concerns. */
export function applyTo(parts: WorldParts, event: Event): void {
  const { prices, candles, accountState, accounting, binding, health, inputs, revisions, commands, world } = parts;
  health.began ??= event.at;
  switch (event.kind) {
    case 'bookSeen':
      return prices.apply(event);
    case 'tradesSeen':
      health.timeCheck.traded(event, event.trades.at(-1));
      prices.apply(event);
      return candles.apply(event);
    case 'infoSeen':
      prices.apply(event);
      candles.apply(event);
      return accounting.apply(event, world);
    case 'candlesSeen':
      revisions.markChanged('candles');
      return candles.apply(event);
    case 'healthSeen':
      candles.apply(event);
      return health.apply(event);
    case 'sessionSeen':
      revisions.markChanged('session');
      return health.apply(event);
    case 'clockJumped':
      accountState.apply(event);
      return health.apply(event);
    case 'inputSeen':
    case 'inputHealth':
      return inputs.apply(event);
    case 'command':
      accounting.apply(event, world);
      return commands.apply(event);
    case 'orderRejected':
    case 'cancelAnswered':
      health.answered(event);
      if (event.frozen === true) prices.refusedAsFrozen(accountState.orders.get(event.clientOrderId), event.at);
      return accountState.apply(event);
    case 'accountSeen':
      health.timePassed(event.at);
      if (!binding.accepts(event)) return;
      accountState.apply(event);
      return accounting.apply(event, world);
    case 'orderOpened':
      health.answered(event);
      return accountState.apply(event);
    case 'fillsSeen':
      health.timeCheck.traded(event, event.fills.at(-1));
      accounting.apply(accountState.filled(event), world);
      return health.applyOwn(accountState.outside.changed(event.at));
    case 'timeSeen':
      health.applyOwn(health.timeCheck.seen(event));
      return accountState.apply(event);
    case 'timerFired':
    case 'orderUnknown':
      return accountState.apply(event);
    default:
      unreachable(event);
  }
}
