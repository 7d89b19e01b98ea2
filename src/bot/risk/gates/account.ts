// Gate: stops all markets while the newest answers about the account are not about ours, or one answer (not yet a second) shows it as bankrupt or below
// its maintenance margin. In mode flatten it also stops a market whose position cannot be closed because the account and our fills disagree on it.
import { z } from 'zod';
import type { Market } from '../../domain/market.ts';
import type { World } from '../../world/world.ts';
import { gateKind } from '../guard.ts';

const limits = z.strictObject({});

export const account = gateKind({
  name: 'account',
  limits,
  // a pass holds until an event concerns the market; in mode flatten it is checked anew in every turn
  passesUntil:
    () =>
    (_, { mode }) =>
      mode === 'flatten' ? -Infinity : Infinity,
  check: () => (market, world) => {
    const reason = accountFault(world) ?? (world.mode === 'flatten' ? closingFault(market, world) : undefined);
    return reason === undefined ? undefined : { kind: 'hold', reason };
  },
});

function accountFault({ binding }: World): string | undefined {
  if (binding.fault !== undefined) return binding.fault.reason;
  if (binding.failing !== 'once') return undefined;
  return 'the exchange has reported once that the account is bankrupt or below its maintenance margin; a second answer decides';
}

/**
 * Returns a reason if the shown and the explained position have no common sign, so that every order would enlarge one of them. `low` and `high` of the
 * exposure enclose both.
 */
function closingFault(market: Market, world: World): string | undefined {
  const differing = world.binding.disagreement(market.id);
  if (differing === undefined) return undefined;
  const { low, high } = world.exposure(market.id);
  if (low > 0 || high < 0) return undefined;
  const { shown, explained } = differing;
  return `nothing can be closed: the exchange shows a position of ${market.sizeText(shown)}, our fills explain ${market.sizeText(explained)}`;
}
