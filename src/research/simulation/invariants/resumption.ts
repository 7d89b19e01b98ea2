// Two invariants of runs with lies: false answers that the simulation injects. The numbers are those of docs/reliability.md.
// V27, `resumption`: soon after a lie has ended, orders rest again, without a person.
// V26, `irreversible`: nothing that a person must undo is done because of a lie.
import type { Millis } from '../../../base/clock.ts';
import { DEFAULT_ORDER_LIFE } from '../../../bot/domain/action.ts';
import { isStricter, type Mode } from '../../../bot/domain/mode.ts';
import { toDecimal } from '../../../bot/domain/numbers.ts';
import { secondsOfReading } from '../../../venues/client/hosted.ts';
import type { MakeCheck, Process, Scene } from '../environment/scene.ts';
import type { InjectedFault } from '../plan/faults.ts';
import { SIMULATION_START } from '../plan/options.ts';

/** The time after the end of a lie within which trading resumes. */
export const RESUMES_WITHIN: Millis = 60_000;
/** The same if another took our session during a lie about the time: only orders with the right time can show that, two refused rounds of them. */
const WITH_SESSION_LOST: Millis = 120_000;
/** How long it takes to prove an order gone after its bytes are dead: two accounts must lack it. */
const PROVED_WITHIN: Millis = 10_000;
/** How long an unknown order may lock its level: its bytes can live for the first part, and its end is proved in the second. */
const LEVEL_LOCKED_FOR: Millis = DEFAULT_ORDER_LIFE * 1_000 + PROVED_WITHIN;

interface Trading {
  readonly by: Process;
  readonly since: Millis;
}

export const resumption: MakeCheck = (scene) => {
  const { clock, faults, tolerated, fail } = scene;
  /** The process that traded last, and when it began to. */
  let last: Trading | undefined;
  const check = (lie: InjectedFault, within: Millis): void => {
    if (tolerated.hasRunEnded || scene.requestedMode() !== undefined || faults.of('stop').some(({ from }) => from < lie.until + within))
      return;
    if (last === undefined || !scene.isAlive(last.by.number))
      fail('V27', `${within / 1_000} s after a lie (${lie.detail}) the bot does not trade`);
    else if (last.by.wanted > 0 && scene.venue.truth.open().length === 0 && !mayLock(scene, last))
      fail('V27', `${within / 1_000} s after a lie (${lie.detail}) ${last.by.wanted} levels are wanted, and no order rests`);
  };
  for (const lie of faults.of('lie')) {
    const within = resumesWithin(lie, scene);
    if (isLast(lie, within, scene)) clock.at(SIMULATION_START + lie.until + within, () => check(lie, within));
  }
  return {
    started(by) {
      last = { by, since: scene.now() };
    },
  };
};

/**
 * True if an unknown order may still lock its level. It may for LEVEL_LOCKED_FOR after its bytes were sent or this process began to trade, whichever is later.
 * It also may until PROVED_WITHIN after `deadAfter` by the exchange's clock: a lie about the time can move `deadAfter` into the future.
 */
function mayLock({ now, venue }: Scene, { by, since }: Trading): boolean {
  const unknown = by.trading?.run.world.orders().filter(({ status }) => status === 'unknown') ?? [];
  return unknown.some(
    ({ sentAt, deadAfter = 0 }) =>
      now() < Math.max(sentAt - SIMULATION_START, since) + LEVEL_LOCKED_FOR ||
      secondsOfReading(venue.engineTime()) < deadAfter + PROVED_WITHIN / 1_000,
  );
}

function resumesWithin({ path, from, until }: InjectedFault, { faults }: Scene): Millis {
  const isLost = path === 'time' && faults.of('session').some((lost) => from < lost.from && lost.from < until);
  return isLost ? WITH_SESSION_LOST : RESUMES_WITHIN;
}

/** True if no other fault is active from the end of the lie on, for as long as trading takes to resume. */
const isLast = ({ id, until }: InjectedFault, within: Millis, { faults }: Scene): boolean =>
  !faults.all.some((other) => other.id !== id && other.from < until + within && Math.max(other.from, other.until) > until);

/** A share of the account, below each limit on losses. */
const TRUE_LOSS = 0.04;

/** V26: the bot makes its mode stricter by itself only for a cause that the exchange's own record shows. */
export const irreversible: MakeCheck = (scene) => {
  const atFirst = equityOf(scene);
  let strictestChecked: Mode = 'active';
  return {
    turn(_, { trading }) {
      const world = trading?.run.world;
      if (world === undefined || scene.faults.of('lie').length === 0 || !isStricter(world.mode, strictestChecked)) return;
      if (!isStricter(world.mode, scene.requestedMode()?.mode ?? 'active')) return;
      strictestChecked = world.mode;
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
