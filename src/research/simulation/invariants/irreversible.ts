// Invariant of runs with lies: nothing that a person must undo is done on a lie. The bot makes its mode stricter by itself only for a cause that the
// exchange's own record shows.
import { isStricter, type Mode } from '../../../bot/domain/mode.ts';
import { toDecimal } from '../../../bot/domain/numbers.ts';
import type { MakeCheck, Scene } from '../environment/scene.ts';

/** A share of the account, below each limit on losses. */
const TRUE_LOSS = 0.04;

export const irreversible: MakeCheck = (scene) => {
  const atFirst = equityOf(scene);
  let judged: Mode = 'active';
  return {
    turn(_, { trading }) {
      const world = trading?.run.world;
      if (world === undefined || scene.faults.of('lie').length === 0 || !isStricter(world.mode, judged)) return;
      if (!isStricter(world.mode, scene.requestedMode()?.mode ?? 'active')) return;
      judged = world.mode;
      if (!hasCause(scene, atFirst)) scene.fail('V26', `the mode is ${world.mode} without a true cause: ${world.modeReason ?? ''}`);
    },
  };
};

/** True if an order appeared that was reported as gone, if the margins are short, or if money is lost. */
function hasCause(scene: Scene, atFirst: number): boolean {
  const { margins } = scene.venue.exchange.account(scene.venue.account) ?? {};
  const isShort = margins !== undefined && (margins.bankruptcy || margins.mf < margins.mmf);
  return isShort || scene.tolerated.pendingAlarms.length > 0 || equityOf(scene) < atFirst * (1 - TRUE_LOSS);
}

/** The value of the account in quote money. */
function equityOf({ venue }: Scene): number {
  const { balances = [], positions = [] } = venue.exchange.account(venue.account) ?? {};
  const cash = balances.find(({ tokenId }) => tokenId === 0)?.amount ?? 0;
  return positions.reduce((sum, { tradingPnl, fundingPaymentPnl }) => sum + toDecimal(tradingPnl) + toDecimal(fundingPaymentPnl), cash);
}
